import type { Excerpt } from './excerpt.ts';
import type { ReadResult } from './report.ts';

/**
 * The lines of logs with their colours, by the place of the log and their plain text: a report is
 * data, and knows no colours. A line that is not among them is given back.
 */
export function paintedLines(
  logs: readonly ReadResult<Excerpt>[],
): (failure: number, line: string) => string {
  const maps = logs.map((log) => ('value' in log ? paints(log.value) : new Map<string, string>()));
  return (failure, line) => maps[failure]?.get(line) ?? line;
}

const paints = ({ lines }: Excerpt): Map<string, string> =>
  new Map(lines.flatMap(({ text, painted }) => (painted === undefined ? [] : [[text, painted]])));
