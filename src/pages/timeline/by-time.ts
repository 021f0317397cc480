import type { Job } from '../../api/resources/job.ts';
import type { JobTimes } from './job-times.ts';

/** Finds the job that was over last at a time: what a job waited for that could run from then on. */
export function endsByTime(
  jobs: readonly Job[],
  times: readonly JobTimes[],
): (time: number) => number | null {
  let sorted: { readonly end: number; readonly index: number }[] | undefined;
  return (time) => {
    sorted ??= times
      .flatMap(({ end, isOver, wasDropped }, index) =>
        end !== null && isOver && !wasDropped && jobs[index]?.type !== 'waiter'
          ? [{ end, index }]
          : [],
      )
      .sort((one, other) => one.end - other.end);
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.end ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return sorted[low - 1]?.index ?? null;
  };
}
