import { needsOf, type Need } from '../../domain/needs.ts';
import type { Job, Tree } from '../../domain/records.ts';
import type { Plan } from '../../pipeline/plan.ts';

const known = new WeakMap<Plan['steps'], readonly (readonly string[])[]>();

/**
 * What has to come before a job: keys of steps and groups where the file names them, ids of steps where
 * it is the order of the file. Computed once for all jobs of a build; its size is that of the file.
 */
export function dependsOn(tree: Tree, { step }: Job): readonly string[] {
  const { steps } = tree.plan;
  const lists = known.get(steps) ?? listsOf(tree);
  known.set(steps, lists);
  return lists[step] ?? [];
}

function listsOf({ plan, jobs }: Tree): readonly (readonly string[])[] {
  const idOf = new Map(jobs.map(({ step, stepId }) => [step, stepId]));
  return needsOf(plan.steps).map((needs) => [
    ...new Set(needs.flatMap((need) => namesOf(need, idOf))),
  ]);
}

/** What a gate stands behind is left to the gate before it. */
const namesOf = ({ key, list }: Need, idOf: ReadonlyMap<number, string>): readonly string[] =>
  key === null ? list.steps.flatMap((step) => idOf.get(step) ?? []) : [key];
