/** What agents beside the slots do to jobs, step by step: a slot does it all at once. */
import { isWithAgent } from './end-job.ts';
import { endTime } from './end-time.ts';
import { findJob } from './find-job.ts';
import type { Agent, Job, JobState, Tree } from './records.ts';
import { change } from './settle.ts';

/** `agent` takes the scheduled job, and has not begun. Returns the tree itself where it cannot. */
export const acceptJob = (tree: Tree, jobId: string, agent: Agent, at: number): Tree =>
  moved(tree, jobId, ['scheduled'], at, (job) => ({ ...job, state: 'accepted', agent }));

/** Its agent begins. Returns the tree itself where the job is not accepted. */
export function beginJob(tree: Tree, jobId: string, at: number): Tree {
  const job = findJob(tree, jobId);
  if (job?.type !== 'script' || job.state !== 'accepted') return tree;
  const isFirst = tree.build.startedAt === null;
  const build = isFirst ? { ...tree.build, startedAt: at } : tree.build;
  return change(tree, { build, jobs: [{ ...job, state: 'running', startedAt: at }] }, at);
}

/** Its agent has dropped the job before it began: another one may take it. */
export const releaseJob = (tree: Tree, jobId: string, at: number): Tree =>
  moved(tree, jobId, ['accepted'], at, (job) => ({ ...job, state: 'scheduled', agent: null }));

/** Its time is over: the agent has to end it, and says how it ended. */
export const timeOutJob = (tree: Tree, jobId: string, at: number): Tree =>
  moved(tree, jobId, ['running'], at, (job) => ({ ...job, state: 'timing_out' }));

/** No agent took it in time. */
export const expireJob = (tree: Tree, jobId: string, at: number): Tree =>
  moved(tree, jobId, ['scheduled'], at, (job) => ({
    ...job,
    state: 'expired',
    finishedAt: endTime(job, at),
  }));

/** Ends one job that an agent has; others of the build go on. */
export const cancelJob = (tree: Tree, jobId: string, at: number): Tree =>
  moved(tree, jobId, ['accepted', 'running', 'timing_out'], at, (job) => ({
    ...job,
    state: 'canceling',
  }));

/** Whether this agent has the job now. */
export const hasJob = (job: Job | undefined, agentId: string): job is Job =>
  job !== undefined && isWithAgent(job) && job.agent?.id === agentId;

function moved(
  tree: Tree,
  jobId: string,
  from: readonly JobState[],
  at: number,
  move: (job: Job) => Job,
): Tree {
  const job = findJob(tree, jobId);
  if (job?.type !== 'script' || !from.includes(job.state)) return tree;
  return change(tree, { jobs: [move(job)] }, at);
}
