import type { Plan, Step } from '../pipeline/plan.ts';
import { createJobs } from './build-lifecycle.ts';
import { isWithAgent } from './job-states.ts';
import { findJob } from './find-job.ts';
import type { Job, Tree } from './records.ts';
import { Refusal } from './refusal.ts';
import { settle } from './settle.ts';
import { needsOf, type StepList } from './needs.ts';

interface Upload {
  readonly plan: Plan;
  /** Whether to remove all steps that have not started. */
  readonly replace: boolean;
}

/** Maximum number of jobs in a build. */
export const maxJobs = 10_000;

/**
 * Adds the steps of `plan` after the step of the running job (`pipeline upload`). If the steps do
 * not fit into the build, throws `Refusal` with a one-line message.
 */
export function uploadSteps(
  tree: Tree,
  jobId: string,
  { plan, replace }: Upload,
  at: number,
  newId: () => string,
): Tree {
  const job = findJob(tree, jobId);
  if (job === undefined || job.state !== 'running' || !isWithAgent(job))
    throw new Refusal('invalid', 'Only a running job can upload steps');
  const before = replace ? withoutUnstarted(tree, job) : tree;
  const after = splice(before, job.id, adapted(plan, before.plan.steps), at, newId);
  check(after.plan.steps, tree.build.options);
  const notices = [...new Set([...tree.plan.notices, ...plan.notices])];
  return settle({ ...after, plan: { ...after.plan, notices } }, at);
}

function withoutUnstarted(tree: Tree, caller: Job): Tree {
  const begun = new Set([caller.step]);
  for (const job of tree.jobs) if (hasBegun(job, caller)) begun.add(job.step);
  const places = new Map<number, number>();
  const steps = tree.plan.steps.filter((_, step) => {
    if (begun.has(step)) places.set(step, places.size);
    return begun.has(step);
  });
  const jobs = tree.jobs.flatMap((job) => {
    const step = places.get(job.step);
    return step === undefined ? [] : [step === job.step ? job : { ...job, step }];
  });
  return { ...tree, plan: { ...tree.plan, steps }, jobs };
}

/** Whether to keep the job. Jobs of omitted steps before the calling step are also kept. */
const hasBegun = (job: Job, caller: Job): boolean =>
  job.startedAt !== null ||
  job.retriesCount > 0 ||
  ['passed', 'unblocked', 'canceled'].includes(job.state) ||
  (job.step < caller.step && ['skipped', 'broken'].includes(job.state));

/**
 * Gives the steps new indexes and the environment of their file. A group with the same
 * key as an existing group (or the same label, if it has no key) continues that group.
 */
function adapted(plan: Plan, existing: readonly Step[]): Step[] {
  const first = existing.reduce(
    (next, { definition, group }) => Math.max(next, definition + 1, (group?.definition ?? 0) + 1),
    1,
  );
  const groups = new Map<string, number>();
  for (const { group } of existing) if (group !== null) groups.set(nameOf(group), group.definition);
  return plan.steps.map((step): Step => {
    const { group } = step;
    const known = group === null ? undefined : groups.get(nameOf(group));
    const moved = {
      definition: first + step.definition,
      group: group && { ...group, definition: known ?? first + group.definition },
    };
    return step.type === 'command'
      ? { ...step, ...moved, env: { ...plan.env, ...step.env } }
      : { ...step, ...moved };
  });
}

const nameOf = ({ key, label }: NonNullable<Step['group']>): string =>
  key === null ? `label ${label ?? ''}` : `key ${key}`;

function splice(
  tree: Tree,
  callerId: string,
  steps: readonly Step[],
  at: number,
  newId: () => string,
): Tree {
  const first = placeAfter(tree, callerId);
  const creation = { first, createdAt: at, scheduledAt: tree.build.createdAt };
  const added = createJobs(steps, creation, newId);
  const moved = tree.jobs.map((job) =>
    job.step < first ? job : { ...job, step: job.step + steps.length },
  );
  const position = moved.findIndex((job) => job.step >= first + steps.length);
  const jobs = moved.toSpliced(position < 0 ? moved.length : position, 0, ...added);
  const spliced = tree.plan.steps.toSpliced(first, 0, ...steps);
  return { ...tree, plan: { ...tree.plan, steps: spliced }, jobs };
}

/** Returns the position after the last step that comes from the same definition as the calling step. */
function placeAfter({ plan, jobs }: Tree, callerId: string): number {
  const own = jobs.find(({ id }) => id === callerId)?.step ?? plan.steps.length - 1;
  const definition = plan.steps[own]?.definition;
  return plan.steps.findLastIndex((step) => step.definition === definition) + 1;
}

function check(
  steps: readonly Step[],
  { ignoreMissingDependencies = false }: Tree['build']['options'],
): void {
  if (steps.length > maxJobs)
    throw new Refusal(
      'invalid',
      `A build can have at most ${maxJobs} jobs; with these steps, it would have ${steps.length}`,
    );
  const keys = checkKeys(steps);
  for (const step of steps)
    for (const { step: key } of [...(step.dependsOn ?? []), ...(step.group?.dependsOn ?? [])])
      if (!keys.has(key) && step.omitted === null && !ignoreMissingDependencies)
        throw new Refusal(
          'invalid',
          `${titleOf(step)} depends on "${key}", which is not a key in this build`,
        );
  const cycle = cycleIn(steps);
  if (cycle !== undefined)
    throw new Refusal('invalid', `Steps depend on one another: ${cycle.map(titleOf).join(' -> ')}`);
}

/** Returns the keys of all steps and groups. Throws `Refusal` if two of them share a key. */
function checkKeys(steps: readonly Step[]): Set<string> {
  const keys = new Set<string>();
  const owners = new Map<string, number>();
  for (const { key, definition, group, omitted } of steps)
    for (const [name, owner] of [
      [key, definition],
      [group?.key ?? null, group?.definition ?? 0],
    ] as const) {
      if (name === null) continue;
      keys.add(name);
      if (omitted !== null) continue;
      if ((owners.get(name) ?? owner) !== owner)
        throw new Refusal('invalid', `The key "${name}" already exists in this build`);
      owners.set(name, owner);
    }
  return keys;
}

function titleOf({ key, label, type }: Step): string {
  const name = key ?? label;
  return name === null ? `a ${type} step` : `"${name}"`;
}

/**
 * Finds a dependency cycle; the first and last elements are the same step. The order of the file
 * also creates dependencies: a step before a `wait` cannot depend on a step after it. Omitted steps
 * have no dependencies.
 */
export function cycleIn(steps: readonly Step[]): readonly Step[] | undefined {
  const needs = needsOf(steps);
  const state = new Map<number | StepList, 'open' | 'done'>();
  const path: { readonly step: number; readonly next: Generator<number, undefined> }[] = [];
  const waits = (step: number) => (steps[step]?.omitted === null ? (needs[step] ?? []) : []);
  const enter = (step: number): void => {
    state.set(step, 'open');
    path.push({ step, next: neededSteps(waits(step), state) });
  };
  for (const start of steps.keys()) {
    if (!state.has(start)) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { value } = top.next.next();
      if (value === undefined) {
        state.set(top.step, 'done');
        path.pop();
      } else if (state.get(value) === 'open') {
        const from = path.findIndex(({ step }) => step === value);
        return [...path.slice(from), path[from]].flatMap((one) => (one && steps[one.step]) ?? []);
      } else if (!state.has(value)) enter(value);
    }
  }
  return undefined;
}

/** Searches each list only once, because a second search could not find a new cycle. */
function* neededSteps(
  needs: ReturnType<typeof needsOf>[number],
  state: Map<number | StepList, 'open' | 'done'>,
): Generator<number, undefined> {
  for (const { list } of needs)
    for (let part: StepList | null = list; part !== null; part = part.earlier) {
      if (state.get(part) === 'done') break;
      yield* part.steps;
      state.set(part, 'done');
    }
  return undefined;
}
