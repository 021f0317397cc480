import type { Cause } from './causes.ts';
import type { JobTimes } from './job-times.ts';

/**
 * From the job that was over last (or is still open) back along what each had waited for: indexes, the
 * first job first.
 */
export function criticalPath(times: readonly JobTimes[], causes: readonly Cause[]): number[] {
  const path: number[] = [];
  const seen = new Set<number>();
  for (
    let at = lastOf(times, causes);
    at !== null && !seen.has(at);
    at = causes[at]?.after ?? null
  ) {
    seen.add(at);
    path.unshift(at);
  }
  return path;
}

/** What ran before what only waited; of those that were over at once the one that was there longest. */
function lastOf(times: readonly JobTimes[], causes: readonly Cause[]): number | null {
  let last: number | null = null;
  times.forEach((one, index) => {
    if (one.end === null || causes[index]?.isGate !== false) return;
    const best = last === null ? undefined : times[last];
    if (best === undefined || compare(one, best) > 0) last = index;
  });
  return last;
}

function compare(one: JobTimes, other: JobTimes): number {
  const isLess = ({ wasDropped }: JobTimes): number => (wasDropped ? 1 : 0);
  const hasRun = ({ started }: JobTimes): number => (started === null ? 0 : 1);
  return (
    isLess(other) - isLess(one) ||
    (one.end ?? 0) - (other.end ?? 0) ||
    hasRun(one) - hasRun(other) ||
    (other.started ?? other.runnable ?? 0) - (one.started ?? one.runnable ?? 0)
  );
}
