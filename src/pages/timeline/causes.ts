import { executions, type Job } from '../../api/resources/job.ts';
import { endsByTime } from './by-time.ts';
import type { JobTimes } from './job-times.ts';
import { latestNeeds } from './latest-needs.ts';
import { uploaders } from './uploaders.ts';

/** Why a job did not begin earlier. Jobs are indexes in the list. */
export interface Cause {
  /** When nothing was missing but an agent, a place, or a person; null where it never came to that. */
  readonly ready: number | null;
  /** What was missing last; null where nothing was. */
  readonly after: number | null;
  /** A wait: it takes no time, and stands for what is before it. */
  readonly isGate: boolean;
}

/** Of all jobs of a build, in their order. */
export function causesOf(jobs: readonly Job[], times: readonly JobTimes[]): Cause[] {
  const isKnown = jobs.some(({ depends_on: needs }) => Array.isArray(needs));
  const replaced = replacedBy(jobs);
  const endedBefore = endsByTime(jobs, times);
  const uploaderOf = uploaders(jobs, times);
  const lastNeed = isKnown ? latestNeeds(jobs, times) : needByTime;

  return jobs.map(({ type }, index) => {
    const isGate = type === 'waiter';
    const { created = null, runnable = null } = times[index] ?? {};
    if (runnable === null) return { ready: null, after: null, isGate };
    const last = laterOf(times, lastNeed(index), replaced.get(index) ?? null);
    const end = times[last ?? -1]?.end ?? -Infinity;
    // It did not wait for that: a dependency that ran again, or clocks that differ.
    if (end > runnable)
      return { ready: runnable, after: other(index, endedBefore(runnable)), isGate };
    const isFirst = !replaced.has(index);
    const after = isFirst && (created ?? 0) > end ? (uploaderOf(index) ?? last) : last;
    const ready = isKnown ? Math.min(runnable, Math.max(end, created ?? runnable)) : runnable;
    return { ready, after, isGate };
  });

  function needByTime(index: number): number | null {
    const { created, runnable } = times[index] ?? {};
    if (typeof runnable !== 'number' || runnable - (created ?? runnable) < slack) return null;
    return other(index, endedBefore(runnable));
  }
}

/** Milliseconds from the creation of a job until a service sees that it can run. */
const slack = 1000;

const other = (index: number, found: number | null): number | null =>
  found === index ? null : found;

/** By the index of a retry that of what it replaces. */
function replacedBy(jobs: readonly Job[]): Map<number, number> {
  const indexOf = new Map(jobs.map((job, index) => [job, index]));
  const pairs = executions(jobs).flatMap(({ job, earlier }) => {
    const chain = [...earlier, job].map((one) => indexOf.get(one) ?? -1);
    return chain.slice(1).map((next, at): [number, number] => [next, chain[at] ?? -1]);
  });
  return new Map(pairs);
}

function laterOf(times: readonly JobTimes[], a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return (times[a]?.end ?? 0) > (times[b]?.end ?? 0) ? a : b;
}
