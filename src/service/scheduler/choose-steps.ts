/** Which steps of a plan run in a build, before any of them does. */
import { didYouMean } from '../../suggest.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Omitted, Plan, Step } from '../pipeline/plan.ts';
import type { RunOptions } from '../run-options.ts';
import { requireSecrets } from './require-secrets.ts';

/** The step alone, or from it on, by key or label of a step or a group. */
export interface Only {
  readonly step?: string | undefined;
  readonly from?: string | undefined;
}

/**
 * The plan without what was not asked for, and without triggers of pipelines that are not here
 * where those are to be skipped; `pipelines` are the slugs of those that are. Throws `Refusal` where a name is unknown, a secret is missing or
 * a pipeline is.
 */
export function chooseSteps(
  plan: Plan,
  options: RunOptions,
  pipelines: readonly string[],
  only: Only | undefined,
): Plan {
  const { steps, ...rest } = only === undefined ? plan : asked(plan, only);
  requireSecrets(steps, options);
  return { ...rest, steps: steps.map((step) => withTrigger(step, options, pipelines)) };
}

function asked(plan: Plan, { step, from }: Only): Plan {
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
const omit = (step: Step, reason: string): Step => {
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

function withTrigger(step: Step, { triggers }: RunOptions, pipelines: readonly string[]): Step {
  if (step.type !== 'trigger' || step.omitted !== null || pipelines.includes(step.pipeline))
    return step;
  const missing = `there is no pipeline ${step.pipeline} here`;
  if (triggers === 'skip') return omit(step, missing);
  throw new Refusal(
    'invalid',
    `The trigger in line ${step.line} cannot run: ${missing}${didYouMean(step.pipeline, pipelines) || '.'} Add it (cictl local pipeline add DIR --slug ${step.pipeline}), or skip it (--triggers skip)`,
  );
}
