/** A new build with its jobs. */
import type { Plan, Step } from '../pipeline/plan.ts';
import type { Build, Job, JobType, Tree } from './records.ts';
import { settle } from './settle.ts';

/** What the creator, the pipeline and the service decide; the rest is the same for every build. */
export type NewBuild = Omit<
  Build,
  | 'state'
  | 'blocked'
  | 'blockedState'
  | 'cancelReason'
  | 'createdAt'
  | 'scheduledAt'
  | 'startedAt'
  | 'finishedAt'
>;

/** A build in state `scheduled`, the jobs that need nothing scheduled with it. */
export function createBuild(build: NewBuild, plan: Plan, at: number, newId: () => string): Tree {
  const jobs = plan.steps.map((step, index) => createJob(step, index, at, newId));
  const started: Build = {
    ...build,
    state: 'scheduled',
    blocked: false,
    blockedState: '',
    cancelReason: null,
    createdAt: at,
    scheduledAt: at,
    startedAt: null,
    finishedAt: null,
  };
  return settle({ build: started, plan, jobs }, at);
}

const createJob = (step: Step, index: number, at: number, newId: () => string): Job => ({
  id: newId(),
  type: typeOf(step),
  step: index,
  stepId: newId(),
  state: 'waiting',
  exitStatus: null,
  signal: null,
  signalReason: null,
  softFailed: false,
  agent: null,
  createdAt: at,
  scheduledAt: at,
  runnableAt: null,
  startedAt: null,
  finishedAt: null,
  retriedInJobId: null,
  retriesCount: 0,
  retryType: null,
  retrySource: null,
  unblockedById: null,
  unblockedAt: null,
});

function typeOf(step: Step): JobType {
  if (step.type === 'wait') return 'waiter';
  return step.type === 'block' ? 'manual' : 'script';
}
