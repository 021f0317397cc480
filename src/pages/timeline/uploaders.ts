import type { Job } from '../../api/resources/job.ts';
import type { JobTimes } from './job-times.ts';

/**
 * Which job has uploaded another, as far as times and order show: it ran when the other was made, and
 * stands before it. Null for what was there from the start.
 */
export function uploaders(
  jobs: readonly Job[],
  times: readonly JobTimes[],
): (index: number) => number | null {
  const first = times.reduce((one, { created }) => Math.min(one, created ?? one), Infinity);
  // What is uploaded together is made at the same time.
  const known = new Map<number, number | null>();
  return (index) => {
    const created = times[index]?.created ?? null;
    if (created === null || created <= first) return null;
    const found = known.get(created) ?? runningAt(created, index);
    known.set(created, found);
    return found;
  };

  function runningAt(time: number, index: number): number | null {
    for (let at = index - 1; at >= 0; at--) {
      const { started, end } = times[at] ?? { started: null, end: null };
      if (jobs[at]?.type !== 'script' || started === null || end === null) continue;
      if (started <= time && time <= end) return at;
    }
    return null;
  }
}
