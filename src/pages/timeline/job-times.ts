import type { Job } from '../../api/resources/job.ts';
import { instant } from '../../render/time.ts';

/** The times of a job in milliseconds since the epoch, in their order whatever clocks were wrong. */
export interface JobTimes {
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
export function timesOf(jobs: readonly Job[], now: number): JobTimes[] {
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
