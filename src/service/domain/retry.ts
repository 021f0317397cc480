/** Runs a job again. */
import { hasFollowed } from './job-states.ts';
import type { Job, Tree } from './records.ts';
import { Refusal } from './refusal.ts';
import { settle } from './settle.ts';

/**
 * A new job in the place of one that failed, timed out or was canceled; what had given up because
 * of it waits again, and the build goes on. Throws `Refusal`.
 */
export function retryJob(tree: Tree, jobId: string, at: number, newId: () => string): Tree {
  const job = tree.jobs.find(({ id }) => id === jobId);
  if (job === undefined || job.type !== 'script' || !isRetryable(job))
    throw new Refusal('wrong', 'Only failed, timed out or canceled jobs can be retried');
  if (job.retriedInJobId !== null) throw new Refusal('invalid', 'Jobs can only be retried once');
  if (['canceled', 'canceling'].includes(tree.build.state))
    throw new Refusal('invalid', 'Jobs from canceled builds cannot be retried');
  const next = again(job, tree.build.createdAt, at, newId());
  const old: Job = { ...job, retriedInJobId: next.id, retryType: 'manual' };
  const jobs = tree.jobs
    .flatMap((other) => (other.id === job.id ? [old, next] : [other]))
    .map((other) => (hasFollowed(other) ? { ...other, state: 'waiting' as const } : other));
  return settle({ ...tree, jobs }, at);
}

const isRetryable = ({ state }: Job): boolean =>
  state === 'failed' || state === 'timed_out' || state === 'canceled';

const again = (job: Job, scheduledAt: number, at: number, id: string): Job => ({
  ...job,
  id,
  state: 'scheduled',
  exitStatus: null,
  signal: null,
  signalReason: null,
  softFailed: false,
  agent: null,
  createdAt: at,
  // Specification, "Timestamps": a job created after its build has the build's time.
  scheduledAt,
  runnableAt: at,
  startedAt: null,
  finishedAt: null,
  retriesCount: job.retriesCount + 1,
  retryType: null,
  retrySource: { jobId: job.id, type: 'manual' },
});
