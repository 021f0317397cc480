/** A part of a plan, by name. */
import { didYouMean } from '../../common/suggest.ts';
import { needsOf, type StepList } from '../domain/needs.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Omitted, Plan, Step } from '../pipeline/plan.ts';

/** Some steps, or one and all after it, by key or label of a step or a group, or by command. */
export interface Only {
  /** Names, or lists of them with commas. */
  readonly steps?: readonly string[] | undefined;
  /** Also the steps that `steps` depend on. */
  readonly needs?: boolean | undefined;
  readonly from?: string | undefined;
}

/** All other steps are skipped. Throws `Refusal` where there is none of that name. */
export function onlySteps(plan: Plan, { from, steps = [], needs = false }: Only): Plan {
  const names = steps.flatMap((text) => (hasStep(plan, text) ? text : namesIn(text)));
  const wanted = from === undefined ? names : [from];
  if (wanted.length === 0) return plan;
  const named = new Set(wanted.flatMap((name) => [...find(plan.steps, name)]));
  const chosen = needs ? withNeeds(plan.steps, named) : named;
  const first = plan.steps.findIndex((one) => chosen.has(one));
  const isWanted = (one: Step, index: number): boolean =>
    from === undefined ? chosen.has(one) : index >= first;
  const list = wanted.join(', ');
  const reason = from === undefined ? `only ${list} was asked for` : `it stands before ${list}`;
  return {
    ...plan,
    steps: plan.steps.map((one, index) => (isWanted(one, index) ? one : omit(one, reason))),
  };
}

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** With all that has to come before them: by `depends_on`, or by the waits and blocks of the file. */
function withNeeds(steps: readonly Step[], chosen: ReadonlySet<Step>): ReadonlySet<Step> {
  const needs = needsOf(steps);
  const all = new Set(chosen);
  // A set also visits what is added to it meanwhile.
  for (const step of all)
    for (const { list } of needs[steps.indexOf(step)] ?? [])
      for (let part: StepList | null = list; part !== null; part = part.earlier)
        for (const index of part.steps) {
          const needed = steps[index];
          if (needed !== undefined) all.add(needed);
        }
  return all;
}

/** What has a reason not to run keeps it. */
export const omit = (step: Step, reason: string): Step => {
  const omitted: Omitted = step.omitted ?? { state: 'skipped', reason };
  return { ...step, omitted };
};

/** Whether `onlySteps` finds something of that name. */
export const hasStep = ({ steps }: Plan, name: string): boolean => named(steps, name).length > 0;

/** A key goes before a label, a step before a group. */
function named(steps: readonly Step[], name: string): Step[] {
  for (const nameOf of [...names, commandOf]) {
    const found = steps.filter((step) => nameOf(step) === name);
    if (found.length > 0) return found;
  }
  return [];
}

function find(steps: readonly Step[], name: string): ReadonlySet<Step> {
  const found = named(steps, name);
  if (found.length > 0) return new Set(found);
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

/** A step without key and label goes by its command, as among the jobs of the API. */
const commandOf = (step: Step): string | null => (step.type === 'command' ? step.command : null);
