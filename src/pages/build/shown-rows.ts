import type { TimelineRow } from '../timeline/timeline.ts';

/** A picture of more is no picture. */
const mostRows = 400;

/** The rows that have something to show, of many those that took longest and the critical path; in their order. */
export function shownRows(rows: readonly TimelineRow[]): readonly TimelineRow[] {
  const begun = rows.filter(hasBegun);
  if (begun.length <= mostRows) return begun;
  const longest = [...begun].sort((one, other) => weightOf(other) - weightOf(one));
  const shown = new Set(longest.slice(0, mostRows));
  return begun.filter((row) => shown.has(row));
}

/** Whether there is a time to show: what has only been planned has none. */
export const hasBegun = ({ jobs }: TimelineRow): boolean =>
  jobs.some(({ waited_from, started }) => (waited_from ?? started) !== null);

/** How long it waited and ran. */
export const secondsOf = ({ jobs }: TimelineRow): number =>
  jobs.reduce((sum, { waited, ran }) => sum + (waited ?? 0) + (ran ?? 0), 0);

const weightOf = (row: TimelineRow): number =>
  row.jobs.some(({ on_critical_path: isCritical }) => isCritical) ? Infinity : secondsOf(row);
