/** What agents do to jobs: take one, end one, be lost with one. */
import type { SoftFail } from '../pipeline/plan.ts';
import type { Outcome } from '../runner-port.ts';
import type { Agent, Job, JobState, Tree } from './records.ts';
import { replace, settle } from './settle.ts';

/** `agent` takes the scheduled job. */
export function startJob(tree: Tree, jobId: string, agent: Agent, at: number): Tree {
  const jobs = tree.jobs.map((job) =>
    job.id === jobId && job.state === 'scheduled'
      ? { ...job, state: 'running' as const, agent, startedAt: at }
      : job,
  );
  const build = { ...tree.build, startedAt: tree.build.startedAt ?? at };
  return settle({ ...tree, build, jobs }, at);
}

/** The process of a running job has ended so. */
export function finishJob(tree: Tree, jobId: string, outcome: Outcome, at: number): Tree {
  const job = tree.jobs.find(({ id }) => id === jobId);
  if (job === undefined || !isWithAgent(job)) return tree;
  const state = endState(job, outcome);
  const finished: Job = {
    ...job,
    state,
    exitStatus: outcome.exitStatus,
    signal: outcome.signal,
    signalReason: outcome.signalReason,
    softFailed: state !== 'passed' && state !== 'canceled' && isForgiven(tree, job, outcome),
    finishedAt: at,
  };
  return settle({ ...tree, jobs: replace(tree.jobs, finished) }, at);
}

/** The service was killed: jobs that ran have lost their agent. Returns the tree itself where none did. */
export function recover(tree: Tree, at: number): Tree {
  const lostOutcome: Outcome = {
    exitStatus: -1,
    signal: null,
    signalReason: 'agent_stop',
    timedOut: false,
  };
  return tree.jobs
    .filter(isWithAgent)
    .reduce((before, job) => finishJob(before, job.id, lostOutcome, at), tree);
}

export const isWithAgent = (job: Job): boolean =>
  job.state === 'running' || job.state === 'canceling';

function endState(job: Job, { timedOut, exitStatus }: Outcome): JobState {
  if (job.state === 'canceling') return 'canceled';
  if (timedOut) return 'timed_out';
  return exitStatus === 0 ? 'passed' : 'failed';
}

function isForgiven(tree: Tree, job: Job, { exitStatus }: Outcome): boolean {
  const step = tree.plan.steps[job.step];
  const softFail: SoftFail = step?.type === 'command' ? step.softFail : false;
  return typeof softFail === 'boolean' ? softFail : softFail.includes(exitStatus);
}
