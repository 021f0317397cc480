/**
 * Removes what tools print before each line of the commands that they run, such as the name of a
 * service or the time. A prefix that could be part of a message is only removed if many lines share
 * it.
 */
export function withoutPrefixes(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const found = texts.map((text) => {
    const prefix = name.exec(text)?.[0] ?? '';
    if (prefix !== '') counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    return prefix;
  });
  return texts.map((text, at) => {
    const prefix = found[at] ?? '';
    const most = level.test(prefix) ? 0.9 : 0.05;
    const isShared = (counts.get(prefix) ?? 0) >= Math.max(5, most * texts.length);
    return bare(isShared ? text.slice(prefix.length) : text);
  });
}

/** For example, `@acme/web:test: ` (Turborepo), `apps/web test: ` (pnpm), `[INFO] `. */
const name =
  /^(?:@?[\w./-]+[:#][\w:.-]*[A-Za-z][\w-]*:|@[\w./-]+:|[@\w.-]+\/[\w./-]+ [\w:-]+[:$]|\[[^\]]{1,40}\]:?)(?: |$)/;

const level = /^\[(?:info|debug|trace|warn|warning|error|notice)\]/i;

export function bare(text: string): string {
  let rest = text.slice(0, 500);
  for (const pattern of prefixes) rest = rest.replace(pattern, '');
  return rest.trimEnd();
}

const prefixes = [
  // Times of day, with or without a date.
  /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d| [AP]M)?\]?:? /,
  // Docker steps, Compose services, names in brackets (Ant and others), boxes.
  /^#\d+ (?:\d+\.\d+ )?(?!\[)/,
  /^[\w.-]+ +\| /,
  /^\s*\[(?!warn|err|fatal|fail|info|debug)[a-z][\w:@/.-]*\] ?(?=\s*\S)/,
  /^[│┃╷├╵║] ?/,
];
