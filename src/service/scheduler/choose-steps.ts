import { didYouMean } from '../../common/suggest.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Plan, Step, TriggerStep, Omitted } from '../pipeline/plan.ts';
import type { RunOptions } from '../run-options.ts';
import { needsOf, type StepList } from '../domain/needs.ts';
import { keyOf } from './known-secrets.ts';
import { pluginAction, pluginName } from '../plugins/plugin.ts';

/**
 * Omits the steps that `only` does not select. If `options` says so, also omits trigger steps for
 * unknown pipelines. Throws `Refusal` if a name is unknown, a secret or pipeline is missing, or a
 * plugin is not allowed.
 */
export function chooseSteps(
  plan: Plan,
  options: RunOptions,
  pipelines: readonly string[],
  only: Only | undefined,
): Plan {
  const { steps, ...rest } = only === undefined ? plan : onlySteps(plan, only);
  const isMissing = (step: Step): step is TriggerStep =>
    step.type === 'trigger' && step.omitted === null && !pipelines.includes(step.pipeline);
  const missing = options.triggers === 'skip' ? [] : steps.filter(isMissing);
  const problems = [
    ...missingSecrets(steps, options.secrets),
    ...refusedPlugins(steps, options),
    ...missing.map(
      ({ line, pipeline }) =>
        `The trigger on line ${line} cannot run: pipeline ${pipeline} does not exist here${didYouMean(pipeline, pipelines) || '.'} Add it (cictl local pipeline add DIR --slug ${pipeline}), or skip it (--triggers skip)`,
    ),
  ];
  if (problems.length > 0) throw new Refusal('invalid', problems.join('\n'));
  const chosen = steps.map((step) =>
    isMissing(step) ? omit(step, `pipeline ${step.pipeline} does not exist here`) : step,
  );
  return { ...rest, steps: chosen };
}

/** Selects steps by command, or by key or label of a step or group. `from` adds all later steps. */
export interface Only {
  /** Names of steps, or comma-separated lists of names. */
  readonly steps?: readonly string[] | undefined;
  /** Whether to add the steps that `steps` depend on. */
  readonly needs?: boolean | undefined;
  readonly from?: string | undefined;
}

/** Omits all steps that are not selected. Throws `Refusal` if a name is unknown. */
function onlySteps(plan: Plan, { from, steps = [], needs = false }: Only): Plan {
  const names = steps.flatMap((text) =>
    hasStep(plan, text)
      ? text
      : text
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== ''),
  );
  const wanted = from === undefined ? names : [from];
  if (wanted.length === 0) throw new Refusal('invalid', '--step needs a step key or label');
  const named = new Set(wanted.flatMap((name) => [...find(plan.steps, name)]));
  const chosen = needs ? withNeeds(plan.steps, named) : named;
  const first = plan.steps.findIndex((one) => chosen.has(one));
  const isWanted = (one: Step, index: number): boolean =>
    from === undefined ? chosen.has(one) : index >= first;
  const reason = from === undefined ? `--step ${names.join(',')}` : `--from ${from}`;
  return {
    ...plan,
    steps: plan.steps.map((one, index) =>
      isWanted(one, index) ? one : omit(one, `not selected by ${reason}`),
    ),
  };
}

/** Adds the steps that must run before the selected steps: dependencies, waits and blocks. */
function withNeeds(steps: readonly Step[], chosen: ReadonlySet<Step>): ReadonlySet<Step> {
  const needs = needsOf(steps);
  const all = new Set(chosen);
  // The loop also visits the steps that it adds.
  for (const step of all)
    for (const { list } of needs[steps.indexOf(step)] ?? [])
      for (let part: StepList | null = list; part !== null; part = part.earlier)
        for (const index of part.steps) {
          const needed = steps[index];
          if (needed !== undefined) all.add(needed);
        }
  return all;
}

const omit = (step: Step, reason: string): Step => {
  const omitted: Omitted = step.omitted ?? { state: 'skipped', reason };
  return { ...step, omitted };
};

export const hasStep = ({ steps }: Plan, name: string): boolean => named(steps, name).length > 0;

/** Searches for the name among keys before labels, and among steps before groups. */
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

const commandOf = (step: Step): string | null => (step.type === 'command' ? step.command : null);

export function missingSecrets(
  steps: readonly Step[],
  secrets: Readonly<Record<string, string>>,
): string[] {
  const missing = new Map<string, number>();
  for (const step of steps) {
    if (step.type !== 'command' || step.omitted !== null) continue;
    for (const { key } of step.secrets)
      if (keyOf(secrets, key) === undefined && !missing.has(key)) missing.set(key, step.line);
  }
  return [...missing].map(
    ([key, line]) =>
      `The step on line ${line} needs the secret ${key}, which was not provided (use --secret ${key}, --secret-file FILE, or cictl local secret set ${key})`,
  );
}

function refusedPlugins(
  steps: readonly Step[],
  { plugins: policy }: Pick<RunOptions, 'plugins'>,
): string[] {
  const refused = new Map<string, number>();
  for (const step of steps) {
    if (step.type !== 'command' || step.omitted !== null) continue;
    for (const use of step.plugins) {
      const name = pluginName(use.source);
      if (pluginAction(policy, use) === 'error' && !refused.has(name)) refused.set(name, step.line);
    }
  }
  return [...refused].map(
    ([name, line]) =>
      `The step on line ${line} uses the plugin ${name}, which is not allowed to run (to allow it, use --plugins run=${name}; to run without it, use --plugins skip=${name})`,
  );
}
