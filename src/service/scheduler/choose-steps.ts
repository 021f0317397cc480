/** Which steps of a plan run in a build, before any of them does. */
import { didYouMean } from '../../common/suggest.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Plan, Step, TriggerStep } from '../pipeline/plan.ts';
import type { RunOptions } from '../run-options.ts';
import { missingSecrets } from './missing-secrets.ts';
import { refusedPlugins } from './refused-plugins.ts';
import { omit, onlySteps, type Only } from './only-steps.ts';

/**
 * The plan without what was not asked for, and, where those are to be skipped, without triggers of
 * pipelines that are not here; `pipelines` are the slugs of those that are. Throws `Refusal` where a
 * name is unknown, or with a line for each secret and each pipeline that is missing, and each plugin that may not run.
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
    ...missing.map((step) => missingPipeline(step, pipelines)),
  ];
  if (problems.length > 0) throw new Refusal('invalid', problems.join('\n'));
  const chosen = steps.map((step) =>
    isMissing(step) ? omit(step, `there is no pipeline ${step.pipeline} here`) : step,
  );
  return { ...rest, steps: chosen };
}

const missingPipeline = ({ line, pipeline }: TriggerStep, pipelines: readonly string[]): string =>
  `The trigger in line ${line} cannot run: there is no pipeline ${pipeline} here${didYouMean(pipeline, pipelines) || '.'} Add it (cictl local pipeline add DIR --slug ${pipeline}), or skip it (--triggers skip)`;
