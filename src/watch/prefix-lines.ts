/**
 * `lint | compiling…`: every line of a text behind the name of its job; the last one gets a
 * newline. A job without a name is called by its command, of which the first line is enough here.
 */
export function prefixLines(text: string, name: string): string {
  const [title = ''] = name.trim().split('\n', 1);
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line) => `${title} | ${line}\n`).join('');
}
