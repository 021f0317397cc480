/** The log lines of jobs, without those that the runner prints around a command. */
export const logLines = (output: string): string[] =>
  output
    .split(/\r?\n/)
    .filter(
      (line) => line.includes(' | ') && !/ \| (?:~~~ Running |\$ |\^{3} |🚨 Error: )/u.test(line),
    );
