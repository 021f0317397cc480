/** Changes to the steps and jobs of a running build. */
import type { Step } from '../pipeline/plan.ts';
import { endedByCancel, isCurrent, isDone } from './job-states.ts';
import { findJob } from './find-job.ts';
import { withSteps } from './schedule.ts';
import type { Job, Tree } from './records.ts';
import { Refusal } from './refusal.ts';
import { change } from './settle.ts';

export interface StepUpdate {
  /** `label`, `priority`, or `notify`, which has no effect in this service. */
  readonly attribute: string;
  readonly value: string;
  /** Whether to append to the current value instead of replacing it. */
  readonly append: boolean;
}

export function stepsOf({ plan, jobs }: Tree, idOrKey: string): readonly number[] {
  const byKey = [...plan.steps.keys()].filter((index) => plan.steps[index]?.key === idOrKey);
  if (byKey.length > 0) return byKey;
  const byId = new Set(jobs.filter(({ stepId }) => stepId === idOrKey).map(({ step }) => step));
  if (byId.size === 0) throw new Refusal('wrong', `There is no step "${idOrKey}" in this build`);
  return [...byId];
}

export function updateStep(tree: Tree, idOrKey: string, update: StepUpdate, at: number): Tree {
  const changed = new Set(stepsOf(tree, idOrKey));
  const steps = tree.plan.steps.map((step, index) =>
    changed.has(index) ? updated(step, update) : step,
  );
  const jobs = openJobs(tree, changed).map((job) => {
    const step = steps[job.step];
    return { ...job, priority: step?.type === 'command' ? step.priority : 0 };
  });
  return change({ ...tree, plan: withSteps(tree.plan, steps) }, { jobs }, at);
}

function updated(step: Step, { attribute, value, append }: StepUpdate): Step {
  if (attribute === 'label') return { ...step, label: append ? (step.label ?? '') + value : value };
  if (attribute === 'notify') return step;
  if (attribute !== 'priority')
    throw new Refusal(
      'wrong',
      `The step attribute "${attribute}" cannot be changed; only label, priority and notify can`,
    );
  return step.type === 'command' ? { ...step, priority: readPriority(value) } : step;
}

function readPriority(value: string): number {
  if (!/^-?\d{1,9}$/.test(value.trim()))
    throw new Refusal('wrong', `priority must be an integer, not "${value}"`);
  return Number(value);
}

export function cancelStep(tree: Tree, idOrKey: string, at: number): Tree {
  const jobs = openJobs(tree, new Set(stepsOf(tree, idOrKey)));
  return change(tree, { jobs: jobs.map((job) => endedByCancel(job, at)) }, at);
}

const openJobs = ({ jobs }: Tree, steps: ReadonlySet<number>): Job[] =>
  jobs.filter((job) => steps.has(job.step) && isCurrent(job) && !isDone(job));

/** Changes the priority of an unfinished job. Throws `Refusal`. */
export function setJobPriority(tree: Tree, jobId: string, value: string, at: number): Tree {
  const job = findJob(tree, jobId);
  if (job === undefined) throw new Refusal('wrong', 'There is no such job in this build');
  if (isDone(job)) throw new Refusal('invalid', 'The priority of a finished job cannot be changed');
  return change(tree, { jobs: [{ ...job, priority: readPriority(value) }] }, at);
}
