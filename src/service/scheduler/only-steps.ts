/** A part of a plan, by name. */
import { didYouMean } from '../../suggest.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Omitted, Plan, Step } from '../pipeline/plan.ts';

/** The step alone, or from it on, by key or label of a step or a group. */
export interface Only {
  readonly step?: string | undefined;
  readonly from?: string | undefined;
}

/** All other steps are skipped. Throws `Refusal` where there is none of that name. */
export function onlySteps(plan: Plan, { step, from }: Only): Plan {
  const name = step ?? from;
  if (name === undefined) return plan;
  const chosen = find(plan.steps, name);
  const first = plan.steps.findIndex((one) => chosen.has(one));
  const isWanted = (one: Step, index: number): boolean =>
    step === undefined ? index >= first : chosen.has(one);
  const reason = step === undefined ? `it stands before ${name}` : `only ${name} was asked for`;
  return {
    ...plan,
    steps: plan.steps.map((one, index) => (isWanted(one, index) ? one : omit(one, reason))),
  };
}

/** What has a reason not to run keeps it. */
export const omit = (step: Step, reason: string): Step => {
  const omitted: Omitted = step.omitted ?? { state: 'skipped', reason };
  return { ...step, omitted };
};

/** A key goes before a label, a step before a group. */
function find(steps: readonly Step[], name: string): ReadonlySet<Step> {
  for (const nameOf of names) {
    const found = steps.filter((step) => nameOf(step) === name);
    if (found.length > 0) return new Set(found);
  }
  const known = new Set(steps.flatMap((step) => names.map((nameOf) => nameOf(step) ?? [])).flat());
  const meant = didYouMean(name, known);
  const list = meant === '' && known.size > 0 ? ` (it has ${[...known].join(', ')})` : meant;
  throw new Refusal('invalid', `The pipeline has no step "${name}"${list}`);
}

const names: readonly ((step: Step) => string | null | undefined)[] = [
  ({ key }) => key,
  ({ group }) => group?.key,
  ({ label }) => label,
  ({ group }) => group?.label,
];
