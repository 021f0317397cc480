import type { Plan, Step } from '../pipeline/plan.ts';
import type { Build, Job, JobType, Tree } from './records.ts';
import { settle, change } from './settle.ts';
import { endedByCancel, isCurrent, isDone } from './job-states.ts';
import { Refusal } from './refusal.ts';

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

/** Creates a build with its jobs. Jobs without dependencies are scheduled immediately. */
export function createBuild(build: NewBuild, plan: Plan, at: number, newId: () => string): Tree {
  const jobs = createJobs(plan.steps, { first: 0, createdAt: at, scheduledAt: at }, newId);
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

interface Creation {
  /** The first step's index in the plan. */
  readonly first: number;
  readonly createdAt: number;
  readonly scheduledAt: number;
}

/**
 * Creates the jobs of consecutive steps. Steps expanded from the same definition share a step ID.
 */
export function createJobs(steps: Plan['steps'], creation: Creation, newId: () => string): Job[] {
  const stepIds = new Map<number, string>();
  return steps.map((step, index) => {
    const id = newId();
    const stepId = stepIds.get(step.definition) ?? newId();
    stepIds.set(step.definition, stepId);
    return createJob(step, { id, stepId, step: creation.first + index }, creation);
  });
}

/** The job of an omitted step starts in its final state. */
const createJob = (
  step: Step,
  ids: Pick<Job, 'id' | 'stepId' | 'step'>,
  { createdAt, scheduledAt }: Creation,
): Job => ({
  // Spreading `...ids` into an object with so many properties would take ten times as long.
  id: ids.id,
  stepId: ids.stepId,
  step: ids.step,
  type: jobTypes[step.type],
  priority: step.type === 'command' ? step.priority : 0,
  state: step.omitted?.state ?? 'waiting',
  exitStatus: null,
  signal: null,
  signalReason: null,
  softFailed: false,
  agent: null,
  createdAt,
  scheduledAt,
  runnableAt: null,
  startedAt: null,
  finishedAt: step.omitted === null ? null : createdAt,
  retriedInJobId: null,
  retriesCount: 0,
  retryType: null,
  retrySource: null,
  unblockedById: null,
  unblockedAt: null,
  triggered: null,
});

const jobTypes: Readonly<Record<Step['type'], JobType>> = {
  command: 'script',
  wait: 'waiter',
  block: 'manual',
  input: 'manual',
  trigger: 'trigger',
};

/**
 * Cancels an unfinished or blocked build. The build is `canceling` until all running processes have
 * exited. `byId` is the user who canceled it, or null for the service. Throws `Refusal`.
 */
export function cancelBuild(
  tree: Tree,
  reason: string | null,
  at: number,
  byId: string | null = null,
): Tree {
  const { build } = tree;
  if (!build.blocked && !['scheduled', 'running', 'failing'].includes(build.state)) {
    const state = build.state === 'canceling' ? 'already being canceled' : `already ${build.state}`;
    throw new Refusal('invalid', `Build can't be canceled because it is ${state}`);
  }
  const jobs = openJobs(tree).map((job) => endedByCancel(job, at));
  const canceled = { state: 'canceling', cancelReason: reason, canceledAt: at } as const;
  return change(tree, { build: { ...build, ...canceled, canceledById: byId }, jobs }, at);
}

/**
 * Skips a build because a newer build replaced it before it started (`skip_queued_branch_builds`).
 */
export function skipBuild(tree: Tree, reason: string, at: number): Tree {
  const jobs = openJobs(tree).map((job): Job => ({ ...job, state: 'skipped', finishedAt: at }));
  const skipped = { state: 'skipped', cancelReason: reason, finishedAt: at } as const;
  return change(tree, { build: { ...tree.build, ...skipped }, jobs }, at);
}

const openJobs = ({ jobs }: Tree) => jobs.filter((job) => isCurrent(job) && !isDone(job));
