interface Unprefixed {
  readonly text: string;
  /** Whether the line is from a service or task other than the one that is reported as failed. */
  readonly isOther: boolean;
}

/**
 * Removes what tools print before each line of the commands that they run, such as the name of a
 * service or the time. A prefix that could be part of a message is only removed if many lines share
 * it.
 */
export function withoutPrefixes(texts: readonly string[]): Unprefixed[] {
  const counts = new Map<string, number>();
  const found = texts.map((text) => {
    const prefix = name.exec(text.slice(0, longestPrefix))?.[0] ?? '';
    if (prefix !== '') counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    return prefix;
  });
  const shared = found.map((prefix) => {
    const least = level.test(prefix) ? 0.9 : 0.02;
    const isShared = (counts.get(prefix) ?? 0) >= Math.max(5, least * texts.length);
    return isShared ? prefix : '';
  });
  const names = new Set(shared.filter((prefix) => prefix !== '').map(nameOf));
  const failed = texts
    .map((text) => nameOf(exit.exec(text)?.[1] ?? ''))
    .find((one) => one !== '' && names.has(one));
  return texts.map((text, at) => {
    const prefix = shared[at] ?? '';
    const isOther = failed !== undefined && prefix !== '' && nameOf(prefix) !== failed;
    return { text: bare(text.slice(prefix.length)), isOther };
  });
}

/** In characters. Searching all of a long word would take minutes. */
const longestPrefix = 120;

/** For example, `@acme/web:test: ` (Turborepo), `apps/web test: ` (pnpm), `app-1  | `, `[INFO] `. */
const name =
  /^(?:@?[\w./-]+[:#][\w:.-]*[A-Za-z][\w-]*:|@[\w./-]+:|[@\w.-]+\/[\w./-]+ [\w:-]+[:$]|[\w.-]+ +\||\[[^\]]{1,40}\]:?)(?: |$)/;

const level = /^\[(?:info|debug|trace|warn|warning|error|notice)\]/i;

/** For example, `app-1 exited with code 1` or `@acme/web#test: command (…) exited (1)`. */
const exit = /^(\S+) (?:.*\b)?exited (?:with code )?\(?[1-9]/;

const nameOf = (prefix: string): string => prefix.replace(/[\s|:$]+$/, '').replace('#', ':');

export function bare(text: string): string {
  let rest = text.slice(0, 500);
  for (const pattern of prefixes) rest = rest.replace(pattern, '');
  return rest.trimEnd();
}

const prefixes = [
  // Times of day, with or without a date.
  /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d| [AP]M)?\]?:? /,
  /^==\d+== /,
  // Docker steps, Compose services, names in brackets (Ant and others), boxes.
  /^#\d+ (?:\d+\.\d+ )?(?!\[)/,
  /^[\w.-]+ +\| /,
  /^\s*\[(?!warn|err|fatal|fail|info|debug)[a-z][\w:@/.-]*\] ?(?=\s*\S)/,
  /^[│┃╷├╵║] ?/,
];
