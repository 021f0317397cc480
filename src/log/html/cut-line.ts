/** Bytes of a line that a page shows. */
const longestShown = 5000;

/** The beginning of a settled line, whole characters and sequences, and how many bytes are left out. */
export function cutLine(line: string): { readonly shown: string; readonly rest: number } {
  if (line.length <= longestShown) return { shown: line, rest: 0 };
  const end = beforeSequence(line, beforeCharacter(line, longestShown));
  return { shown: line.slice(0, end), rest: line.replace(/\n$/, '').length - end };
}

/** Not inside of a character of UTF-8. */
function beforeCharacter(line: string, at: number): number {
  while ((line.charCodeAt(at) & 0xc0) === 0x80) at--;
  return at;
}

/** Not inside of a sequence. */
function beforeSequence(line: string, at: number): number {
  const start = line.lastIndexOf('\x1b', at - 1);
  if (start < 0) return at;
  // The end of a string is a sequence of its own.
  const isEnd = line[start + 1] === '\\';
  const from = isEnd ? line.lastIndexOf('\x1b', start - 1) : start;
  const end = /^\x1b(?:\[[^@-~]*[@-~]|[\]_][^\x07\x1b]*(?:\x07|\x1b\\))/.exec(line.slice(from));
  return end !== null && from + end[0].length <= at ? at : Math.max(0, from);
}
