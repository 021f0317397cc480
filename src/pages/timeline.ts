import { executions, type Job } from '../api/resources/job.ts';
import { instant } from '../render/time.ts';
import { collectStats, type StatsCollector } from '../stats/collect.ts';

/** Times in milliseconds since the epoch, spans in seconds; null where there is none. */
export interface TimelineJob {
  readonly id: string;
  /** Between `waited_from` and the start; without a start until it was over, or until now. */
  readonly waited: number | null;
  /** From the start to the end, or until now. */
  readonly ran: number | null;
  /** When all that it depends on was there; null where that was never so. */
  readonly waited_from: number | null;
  readonly started: number | null;
  /** Null while it is not over. Of a step that waits for a person: when it was unblocked. */
  readonly finished: number | null;
  /** Had it taken less time, so had the build. */
  readonly on_critical_path: boolean;
  /** Id of the job for which it waited last: of a dependency, of what a retry replaces, of what uploaded it. */
  readonly after: string | null;
}

/** One line of a waterfall: a job with the executions that a retry has replaced, the oldest first. */
export interface TimelineRow {
  /** The newest execution. */
  readonly id: string;
  readonly jobs: readonly TimelineJob[];
}

export interface Timeline {
  /** When the first job began to wait, and when the last was over (or now); null where nothing has begun. */
  readonly from: number | null;
  readonly to: number | null;
  /** In the order given, without waits. */
  readonly jobs: readonly TimelineJob[];
  /** In the order of the newest executions. */
  readonly rows: readonly TimelineRow[];
  /** Ids, the first job first: the jobs that made the build take as long as it did. */
  readonly critical_path: readonly string[];
}

/**
 * Where the time of a build went. `jobs` of the API with retried ones; `now` in milliseconds since the
 * epoch. What a job depends on comes of `depends_on` where the service says that, else of the times: then
 * a job waited for whatever had ended directly before it could run.
 */
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
    const after = times[cause.after ?? -1]?.id ?? null;
    lines.set(time.id, lineOf(time, cause.ready, { after, isCritical: onPath.has(index) }));
  });
  const shown = [...lines.values()];
  return {
    from: least(shown.map(({ waited_from, started }) => waited_from ?? started)),
    to: most(times.map(({ end }) => end)),
    jobs: shown,
    rows: executions(jobs).flatMap(({ job, earlier }) => {
      const row = [...earlier, job].flatMap(({ id }) => lines.get(id ?? '') ?? []);
      return row.length === 0 ? [] : [{ id: job.id ?? '', jobs: row }];
    }),
    critical_path: path.map((index) => times[index]?.id ?? ''),
  };
}

function lineOf(
  { id, started, end, isOver }: JobTimes,
  ready: number | null,
  { after, isCritical }: { readonly after: string | null; readonly isCritical: boolean },
): TimelineJob {
  const until = started ?? end;
  return {
    id,
    waited: ready === null || until === null ? null : (until - ready) / 1000,
    ran: started === null || end === null ? null : (end - started) / 1000,
    waited_from: ready,
    started,
    finished: isOver ? end : null,
    on_critical_path: isCritical,
    after,
  };
}

const least = (values: readonly (number | null)[]): number | null =>
  values.reduce(
    (one, other) => (one === null || (other !== null && other < one) ? other : one),
    null,
  );

const most = (values: readonly (number | null)[]): number | null =>
  values.reduce(
    (one, other) => (one === null || (other !== null && other > one) ? other : one),
    null,
  );

/**
 * From the job that was over last (or is still open) back along what each had waited for: indexes, the
 * first job first.
 */
function criticalPath(times: readonly JobTimes[], causes: readonly Cause[]): number[] {
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

/** The times of a job in milliseconds since the epoch, in their order whatever clocks were wrong. */
interface JobTimes {
  readonly id: string;
  readonly created: number | null;
  /** When it could have run, as the service has it; null where it could not yet, or never. */
  readonly runnable: number | null;
  readonly started: number | null;
  /** When it was over, or now where it runs or could run; null where it was never its turn. */
  readonly end: number | null;
  readonly isOver: boolean;
  /** It was over before it began: nothing waited for what it did. */
  readonly wasDropped: boolean;
}

/** `now` counts for what is not over. */
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

/** The public API has no start of a job that triggers a build: it does so at once. */
function triggeredAt(job: Job): number | null {
  const hasBuild = job.type === 'trigger' && (job.triggered_build ?? null) !== null;
  return hasBuild ? (at(job.runnable_at) ?? scheduledAt(job)) : null;
}

/** It is the turn of these, and something else keeps them: agents, a limit, a person. */
const waiting: ReadonlySet<string> = new Set([
  ...['scheduled', 'reserved', 'assigned', 'accepted'],
  ...['limiting', 'limited', 'blocked'],
]);

/** Done without having been started: triggers, and steps that wait for a person. */
const done: ReadonlySet<string> = new Set(['passed', 'unblocked', 'finished']);

/** A job that was made after its build has the scheduling time of its build. */
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

/**
 * The times of all jobs. Of a step that waits for a person the public API says when it was unblocked
 * and nothing else: its turn came when what stands before it in the build was over.
 */
function timesOf(jobs: readonly Job[], now: number): JobTimes[] {
  const times = jobs.map((job) => jobTimes(job, now));
  const first = times.map(({ created }) => created).reduce(lesser, null);
  if (first === null) return times;
  jobs.forEach((job, index) => {
    if (!isUntimed(job)) return;
    const limit = instant(job.unblocked_at ?? '') ?? now;
    const before = times.slice(0, index).map((one) => endOf(one, limit));
    const turn = before.reduce((one, other) => Math.max(one, other), first);
    const guess = { created_at: job.created_at ?? text(first), runnable_at: text(turn) };
    times[index] = jobTimes({ ...job, ...guess }, now);
  });
  return times;
}

/** It was the turn of a person, and nothing says from when on. */
const isUntimed = ({ type, state, runnable_at: turn, unblocked_at: end }: Job): boolean =>
  type === 'manual' && (turn ?? null) === null && (state === 'blocked' || (end ?? null) !== null);

const endOf = ({ end, isOver, wasDropped }: JobTimes, limit: number): number =>
  end !== null && isOver && !wasDropped && end <= limit ? end : -Infinity;

const lesser = (one: number | null, other: number | null): number | null =>
  one !== null && (other === null || one <= other) ? one : other;

const text = (time: number): string => new Date(time).toISOString();

/** Collects with the critical path that the page of a build shows. */
export const collectBuildStats = (): StatsCollector =>
  collectStats((jobs, now) => timelineOf(jobs, now).jobs);
