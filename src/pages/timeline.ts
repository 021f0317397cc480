import { executions, type Job } from '../api/resources/job.ts';
import { instant } from '../render/time.ts';
import { collectStats, type StatsCollector } from '../stats/collect.ts';

/** Times are in milliseconds since the epoch, durations in seconds. Unknown values are null. */
export interface TimelineJob {
  readonly id: string;
  readonly waited: number | null;
  readonly ran: number | null;
  readonly waited_from: number | null;
  readonly started: number | null;
  /** Null until the job finishes. For manual jobs, the time when they were unblocked */
  readonly finished: number | null;
  /** Whether the build would be faster if this job were faster */
  readonly on_critical_path: boolean;
  /** The last job that this one waited for: a dependency, the retried execution, or the uploader */
  readonly after: string | null;
}

export interface TimelineRow {
  readonly id: string;
  readonly jobs: readonly TimelineJob[];
}

export interface Timeline {
  /** When the first job began to wait, and when the last job finished (or now). Null until then */
  readonly from: number | null;
  readonly to: number | null;
  readonly jobs: readonly TimelineJob[];
  readonly rows: readonly TimelineRow[];
  /** Job IDs, in the order in which the jobs ran */
  readonly critical_path: readonly string[];
}

/** `jobs` includes retried jobs; `now` is in milliseconds. Guesses unknown dependencies. */
export function timelineOf(jobs: readonly Job[], now: number): Timeline {
  const times = timesOf(jobs, now);
  const causes = causesOf(jobs, times);
  const path = criticalPath(times, causes);
  const onPath = new Set(path);
  const lines = new Map<string, TimelineJob>();
  jobs.forEach((job, index) => {
    const time = times[index];
    const cause = causes[index];
    if (job.type === 'waiter' || time === undefined || cause === undefined) return;
    const { id, started, end } = time;
    const until = started ?? end;
    lines.set(id, {
      id,
      waited: cause.ready === null || until === null ? null : (until - cause.ready) / 1000,
      ran: started === null || end === null ? null : (end - started) / 1000,
      waited_from: cause.ready,
      started,
      finished: time.isOver ? end : null,
      on_critical_path: onPath.has(index),
      after: times[cause.after ?? -1]?.id ?? null,
    });
  });
  const shown = [...lines.values()];
  return {
    from: lowest(shown.map(({ waited_from, started }) => waited_from ?? started)),
    to: times.reduce<number | null>(
      (to, { end }) => (to === null || (end ?? to) > to ? end : to),
      null,
    ),
    jobs: shown,
    rows: executions(jobs).flatMap(({ job, earlier }) => {
      const row = [...earlier, job].flatMap(({ id }) => lines.get(id ?? '') ?? []);
      return row.length === 0 ? [] : [{ id: job.id ?? '', jobs: row }];
    }),
    critical_path: path.map((index) => times[index]?.id ?? ''),
  };
}

const lowest = (values: readonly (number | null)[]): number | null =>
  values.reduce((low, one) => (low === null || (one ?? low) < low ? one : low), null);

/** Starts at the job that finished last and follows what each job waited for. Returns indexes. */
function criticalPath(times: readonly JobTimes[], causes: readonly Cause[]): number[] {
  const path = new Set<number>();
  let at = lastOf(times, causes);
  while (at !== null && !path.has(at)) {
    path.add(at);
    at = causes[at]?.after ?? null;
  }
  return [...path].reverse();
}

/** Prefers jobs that ran. Among jobs that finished at the same time, prefers the first to start. */
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
  const startOf = ({ started, runnable }: JobTimes): number => started ?? runnable ?? 0;
  return (
    Number(other.wasDropped) - Number(one.wasDropped) ||
    (one.end ?? 0) - (other.end ?? 0) ||
    Number(one.started !== null) - Number(other.started !== null) ||
    startOf(other) - startOf(one)
  );
}

/** Why a job did not start earlier. Jobs are given by their indexes in the list. */
interface Cause {
  /** When the job started to wait only for an agent, a slot or an approval. Null if it never did */
  readonly ready: number | null;
  readonly after: number | null;
  /** Whether this is a wait step, which takes no time and stands for the jobs before it */
  readonly isGate: boolean;
}

function causesOf(jobs: readonly Job[], times: readonly JobTimes[]): Cause[] {
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
    // The job cannot have waited for this one: a dependency was retried, or clocks differ.
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

const slack = 1000;

const other = (index: number, found: number | null): number | null =>
  found === index ? null : found;

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

/** Finds the last job that had finished at a given time. */
function endsByTime(jobs: readonly Job[], times: readonly JobTimes[]) {
  let sorted: { readonly end: number; readonly index: number }[] | undefined;
  return (time: number): number | null => {
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

/** Finds the dependency that finished last. A wait step stands for the jobs before it. */
function latestNeeds(jobs: readonly Job[], times: readonly JobTimes[]) {
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
    // Breaks dependency cycles.
    ofJobs.set(index, null);
    const found = last((jobs[index]?.depends_on ?? []).map(ofName));
    ofJobs.set(index, found);
    return found;
  }

  function ofName(name: string): number | null {
    const known = ofNames.get(name);
    if (known !== undefined) return known;
    const isWait = (index: number): boolean => jobs[index]?.type === 'waiter';
    const indexes = members.get(name) ?? [];
    const found = last(indexes.map((index) => (isWait(index) ? ofJob(index) : index)));
    ofNames.set(name, found);
    return found;
  }
}

/** Job indexes by the names that `depends_on` may contain: step ID, step key, group key. */
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

/** Guesses which job uploaded a job: an earlier script job that was running at that time. */
function uploaders(jobs: readonly Job[], times: readonly JobTimes[]) {
  const first = lowest(times.map(({ created }) => created)) ?? Infinity;
  // Jobs that were uploaded together have the same creation time.
  const known = new Map<number, number | null>();
  return (index: number): number | null => {
    const created = times[index]?.created ?? null;
    if (created === null || created <= first) return null;
    const found = known.get(created) ?? runningAt(created, index);
    known.set(created, found);
    return found;
  };

  function runningAt(time: number, index: number): number | null {
    const at = times.slice(0, index).findLastIndex(({ started, end }, place) => {
      const hasRun = jobs[place]?.type === 'script' && started !== null && end !== null;
      return hasRun && started <= time && time <= end;
    });
    return at < 0 ? null : at;
  }
}

/** Milliseconds since the epoch. Always in ascending order, even if clocks differ. */
interface JobTimes {
  readonly id: string;
  readonly created: number | null;
  readonly runnable: number | null;
  readonly started: number | null;
  /** When the job finished, or now if it has not. Null if the job never became runnable */
  readonly end: number | null;
  readonly isOver: boolean;
  /** Whether the job finished before it started, so that no job waited for its result */
  readonly wasDropped: boolean;
}

function jobTimes(job: Job, now: number): JobTimes {
  const finished = at(job.finished_at) ?? at(job.unblocked_at);
  const started = at(job.started_at) ?? triggeredAt(job);
  const state = job.state ?? '';
  const isWaiting = waiting.has(state);
  const runnable = at(job.runnable_at) ?? (isWaiting || started !== null ? scheduledAt(job) : null);
  const isOpen = finished === null && (started !== null || isWaiting);
  const end = isOpen ? now : runnable === null && started === null ? null : finished;
  const begun = noLater(started, end);
  return {
    id: job.id ?? '',
    created: at(job.created_at),
    runnable: noLater(runnable, begun ?? end),
    started: begun,
    end,
    isOver: !isOpen,
    wasDropped: !isOpen && started === null && !done.has(state),
  };
}

/** The public API has no start time for trigger jobs, so they are assumed to take no time. */
function triggeredAt(job: Job): number | null {
  const hasBuild = job.type === 'trigger' && (job.triggered_build ?? null) !== null;
  return hasBuild ? (at(job.runnable_at) ?? scheduledAt(job)) : null;
}

/** Jobs in these states are runnable, but wait for an agent, a limit or a manual approval. */
const waiting: ReadonlySet<string> = new Set([
  ...['scheduled', 'reserved', 'assigned', 'accepted'],
  ...['limiting', 'limited', 'blocked'],
]);

/** States of jobs that finish without being started: trigger and manual jobs. */
const done: ReadonlySet<string> = new Set(['passed', 'unblocked', 'finished']);

/** If a job is uploaded later, the API's scheduling time for the job is that of the build. */
function scheduledAt(job: Job): number | null {
  const created = at(job.created_at);
  const scheduled = at(job.scheduled_at);
  return created !== null && scheduled !== null
    ? Math.max(created, scheduled)
    : (scheduled ?? created);
}

const at = (text: string | null | undefined): number | null => instant(text ?? '') ?? null;

const noLater = (time: number | null, limit: number | null): number | null =>
  time !== null && limit !== null ? Math.min(time, limit) : time;

/** The API does not tell when manual jobs became runnable, so the end of earlier jobs is used. */
function timesOf(jobs: readonly Job[], now: number): JobTimes[] {
  const times = jobs.map((job) => jobTimes(job, now));
  const first = lowest(times.map(({ created }) => created));
  if (first === null) return times;
  const text = (time: number): string => new Date(time).toISOString();
  jobs.forEach((job, index) => {
    if (!isUntimed(job)) return;
    const limit = instant(job.unblocked_at ?? '') ?? now;
    let turn = first;
    for (const { end, isOver, wasDropped } of times.slice(0, index))
      if (end !== null && isOver && !wasDropped && end <= limit) turn = Math.max(turn, end);
    const guess = { created_at: job.created_at ?? text(first), runnable_at: text(turn) };
    times[index] = jobTimes({ ...job, ...guess }, now);
  });
  return times;
}

const isUntimed = ({ type, state, runnable_at: turn, unblocked_at: end }: Job): boolean =>
  type === 'manual' && (turn ?? null) === null && (state === 'blocked' || (end ?? null) !== null);

export const collectBuildStats = (): StatsCollector =>
  collectStats((jobs, now) => timelineOf(jobs, now).jobs);
