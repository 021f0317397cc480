import type { Job } from '../../api/resources/job.ts';
import type { LogOutline } from '../../log/log-index.ts';
import type { Anchor, WindowOptions } from '../../log/plan-window.ts';

/** Lines that a page shows at first, and that are added at a time. */
export const windowLength = 500;

/**
 * Which lines are wanted of a log: the query `from`, `before` or `at` names the line, else the end is; `first`
 * and `end` bound them, and `within` is the section that they are in.
 */
export function windowOptions(
  outline: LogOutline,
  job: Job,
  query: URLSearchParams,
): WindowOptions {
  const end = outline.lines + 1;
  const range = {
    from: Math.max(1, numberIn(query, 'first') ?? 1),
    to: Math.min(end, numberIn(query, 'end') ?? end),
  };
  const anchor = anchorIn(query) ?? { side: 'before', line: range.to };
  const within = numberIn(query, 'within');
  return { range, anchor, opensLast: opensLast(job), within, most: windowLength };
}

/** Of a job that runs, and of one that failed, the end is what one looks for. */
export const opensLast = ({ state, exit_status: status }: Job): boolean =>
  !(state === 'passed' || status === 0);

export function anchorIn(query: URLSearchParams): Anchor | undefined {
  for (const side of ['from', 'before', 'at'] as const) {
    const line = numberIn(query, side);
    if (line !== undefined) return { side, line };
  }
  return undefined;
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
