import type { JobTimes } from './job-times.ts';
import { executions, type Job } from '../../api/resources/job.ts';

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

/** Why a job did not begin earlier. Jobs are indexes in the list. */
interface Cause {
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

/** Finds the job that was over last at a time: what a job waited for that could run from then on. */
function endsByTime(
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

/**
 * Which of all that a job depends on was over last, by the index of the job; null where nothing of it
 * ran. Waits stand for what is before them. Each dependency is looked at once.
 */
function latestNeeds(
  jobs: readonly Job[],
  times: readonly JobTimes[],
): (index: number) => number | null {
  const members = byName(jobs);
  const ofJobs = new Map<number, number | null>();
  const ofNames = new Map<string, number | null>();
  const endOf = (index: number | null): number => times[index ?? -1]?.end ?? -Infinity;
  const last = (indexes: readonly (number | null)[]): number | null =>
    indexes.reduce((one, other) => (endOf(other) > endOf(one) ? other : one), null);

  return ofJob;

  function ofJob(index: number): number | null {
    const known = ofJobs.get(index);
    if (known !== undefined) return known;
    // Whoever leads back here finds nothing.
    ofJobs.set(index, null);
    const found = last((jobs[index]?.depends_on ?? []).map(ofName));
    ofJobs.set(index, found);
    return found;
  }

  function ofName(name: string): number | null {
    const known = ofNames.get(name);
    if (known !== undefined) return known;
    const found = last(
      (members.get(name) ?? []).map((index) =>
        jobs[index]?.type === 'waiter' ? ofJob(index) : index,
      ),
    );
    ofNames.set(name, found);
    return found;
  }
}

/**
 * Indexes by what dependencies may name: id or key of the step, key of the group. A step has many jobs by
 * `parallelism`, a matrix, and retries.
 */
function byName(jobs: readonly Job[]): Map<string, number[]> {
  const members = new Map<string, number[]>();
  jobs.forEach(({ step, step_key: key, group_key: group }, index) => {
    for (const name of new Set([stepId(step), key, group])) {
      if (!name) continue;
      const list = members.get(name);
      if (list === undefined) members.set(name, [index]);
      else list.push(index);
    }
  });
  return members;
}

function stepId(step: Job['step']): string | undefined {
  const id = typeof step === 'object' && step !== null && 'id' in step ? step.id : undefined;
  return typeof id === 'string' ? id : undefined;
}

/**
 * Which job has uploaded another, as far as times and order show: it ran when the other was made, and
 * stands before it. Null for what was there from the start.
 */
function uploaders(
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
