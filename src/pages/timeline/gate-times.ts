import type { Job } from '../../api/resources/job.ts';
import { instant } from '../../render/time.ts';
import { jobTimes, type JobTimes } from './job-times.ts';

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
