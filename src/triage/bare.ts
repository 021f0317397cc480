/** The part of a line that its tool printed: what runners put before it is left out. */
export function bare(text: string): string {
  let rest = text.slice(0, 500);
  for (const pattern of prefixes) rest = rest.replace(pattern, '');
  return rest.trimEnd();
}

const prefixes = [
  // Times of day, with or without a date.
  /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d| [AP]M)?\]?:? /,
  // Steps of docker; services of compose; what ant and others put into brackets; boxes.
  /^#\d+ (?:\d+\.\d+ )?(?!\[)/,
  /^[\w.-]+ +\| /,
  /^\s*\[(?!warn|err|fatal|fail|info|debug)[a-z][\w:@/.-]*\] ?(?=\s*\S)/,
  /^[│┃╷├╵║] ?/,
];
