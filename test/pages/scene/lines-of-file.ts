/** The visible lines of a log file: without time marks, colors and the dashes of sections. */
export const linesOfFile = (log: string): string[] =>
  log
    .replaceAll(/\x1b_bk;[^\x07]*\x07|\x1b\[[\d;]*[mK]/g, '')
    .split(/\r?\n/)
    .slice(0, -1)
    .map((line) => line.replace(/^(?:---|\+\+\+|~~~) /, ''));
