/** A new build with its jobs. */
import type { Plan, Step } from '../pipeline/plan.ts';
import type { Build, Job, JobType, Tree } from './records.ts';
import { settle, change } from './settle.ts';
import { endedByCancel, isCurrent, isDone } from './job-states.ts';
import { Refusal } from './refusal.ts';

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
  /** Index in the plan of the first of the steps. */
  readonly first: number;
  readonly createdAt: number;
  readonly scheduledAt: number;
}

/** Jobs for steps that follow one another; those of one definition share the id of the step. */
export function createJobs(steps: Plan['steps'], creation: Creation, newId: () => string): Job[] {
  const stepIds = new Map<number, string>();
  return steps.map((step, index) => {
    const id = newId();
    const stepId = stepIds.get(step.definition) ?? newId();
    stepIds.set(step.definition, stepId);
    return createJob(step, { id, stepId, step: creation.first + index }, creation);
  });
}

/** A step that is left out has a job that is over from the start. */
const createJob = (
  step: Step,
  ids: Pick<Job, 'id' | 'stepId' | 'step'>,
  { createdAt, scheduledAt }: Creation,
): Job => ({
  // One by one: an object that is spread into a new one of this size costs ten times as much to make.
  id: ids.id,
  stepId: ids.stepId,
  step: ids.step,
  type: typeOf(step),
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

function typeOf(step: Step): JobType {
  return {
    command: 'script',
    wait: 'waiter',
    block: 'manual',
    input: 'manual',
    trigger: 'trigger',
  }[step.type] as JobType;
}

// Builds that are ended before their time.

/**
 * Cancels a build that is scheduled, running, failing or blocked: at once where nothing runs,
 * else it is `canceling` until the processes have ended. `byId` is the user who asked for it, null
 * where the service did. Throws `Refusal` for a finished one.
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

/** A newer build of its branch came before it had started (`skip_queued_branch_builds`). */
export function skipBuild(tree: Tree, reason: string, at: number): Tree {
  const jobs = openJobs(tree).map((job) => ({
    ...job,
    state: 'skipped' as const,
    finishedAt: at,
  }));
  const skipped = { state: 'skipped', cancelReason: reason, finishedAt: at } as const;
  return change(tree, { build: { ...tree.build, ...skipped }, jobs }, at);
}

const openJobs = ({ jobs }: Tree) => jobs.filter((job) => isCurrent(job) && !isDone(job));
