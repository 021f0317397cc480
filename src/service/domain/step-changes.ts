/** What a job may change of the steps of its build, and a person of a job. */
import type { Step } from '../pipeline/plan.ts';
import { endedByCancel, isCurrent, isDone } from './job-states.ts';
import { findJob } from './find-job.ts';
import { withSteps } from './schedule.ts';
import type { Job, Tree } from './records.ts';
import { Refusal } from './refusal.ts';
import { change } from './settle.ts';

export interface StepUpdate {
  /** `label`, `priority`, or `notify`, which nobody obeys here. */
  readonly attribute: string;
  readonly value: string;
  /** The value is added to what is there. */
  readonly append: boolean;
}

/** Indexes of the steps with this key, or with this id. Throws `Refusal` where there are none. */
export function stepsOf({ plan, jobs }: Tree, idOrKey: string): readonly number[] {
  const byKey = [...plan.steps.keys()].filter((index) => plan.steps[index]?.key === idOrKey);
  if (byKey.length > 0) return byKey;
  const byId = new Set(jobs.filter(({ stepId }) => stepId === idOrKey).map(({ step }) => step));
  if (byId.size === 0) throw new Refusal('wrong', `There is no step "${idOrKey}" in this build`);
  return [...byId];
}

/** Changes an attribute of a step, in the plan of its build. Throws `Refusal`. */
export function updateStep(tree: Tree, idOrKey: string, update: StepUpdate, at: number): Tree {
  const changed = new Set(stepsOf(tree, idOrKey));
  const steps = tree.plan.steps.map((step, index) =>
    changed.has(index) ? updated(step, update) : step,
  );
  const jobs = tree.jobs.filter((job) => changed.has(job.step) && isCurrent(job) && !isDone(job));
  const moved = jobs.map((job) => ({ ...job, priority: priorityOf(steps[job.step]) }));
  return change({ ...tree, plan: withSteps(tree.plan, steps) }, { jobs: moved }, at);
}

function updated(step: Step, { attribute, value, append }: StepUpdate): Step {
  if (attribute === 'label') return { ...step, label: append ? (step.label ?? '') + value : value };
  if (attribute === 'notify') return step;
  if (attribute !== 'priority')
    throw new Refusal(
      'wrong',
      `The attribute "${attribute}" of a step cannot be changed (label, priority, notify)`,
    );
  return step.type === 'command' ? { ...step, priority: readPriority(value) } : step;
}

function readPriority(value: string): number {
  if (!/^-?\d{1,9}$/.test(value.trim()))
    throw new Refusal('wrong', `"${value}" is no priority: it is a whole number`);
  return Number(value);
}

const priorityOf = (step: Step | undefined): number =>
  step?.type === 'command' ? step.priority : 0;

/** Cancels the jobs of a step that are not over. Throws `Refusal`. */
export function cancelStep(tree: Tree, idOrKey: string, at: number): Tree {
  const canceled = new Set(stepsOf(tree, idOrKey));
  const jobs = tree.jobs.filter((job) => canceled.has(job.step) && isCurrent(job) && !isDone(job));
  return change(tree, { jobs: jobs.map((job) => endedByCancel(job, at)) }, at);
}

/** A job that is not over gets its slot earlier or later. Throws `Refusal`. */
export function setJobPriority(tree: Tree, jobId: string, value: string, at: number): Tree {
  const job = findJob(tree, jobId);
  if (job === undefined) throw new Refusal('wrong', 'There is no such job in this build');
  if (isDone(job))
    throw new Refusal('invalid', 'The priority of a job that is over cannot be changed');
  const changed: Job = { ...job, priority: readPriority(value) };
  return change(tree, { jobs: [changed] }, at);
}
