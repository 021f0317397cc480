/** `NAME=VALUE` a line, as forms take them. */

export interface PairLines {
  readonly pairs: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

/** Browsers send CRLF for a line break. */
export const linesText = (text: string | null): string => (text ?? '').replace(/\r\n?/g, '\n');

/** Empty lines count for nothing; of a name that comes twice neither is dropped in silence. */
export function pairsOfLines(text: string, what: string): PairLines {
  const pairs = new Map<string, string>();
  const problems: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const at = line.indexOf('=');
    const name = line.slice(0, Math.max(at, 0)).trim();
    const where = `${what}, line ${index + 1}`;
    if (name === '') problems.push(`${where}: NAME=VALUE is expected`);
    else if (pairs.has(name)) problems.push(`${where}: ${name} is there twice`);
    else pairs.set(name, line.slice(at + 1));
  }
  // A name may be `__proto__`.
  return { pairs: Object.fromEntries(pairs), problems };
}
