import { Refusal } from '../../service/domain/refusal.ts';
import type { Plan } from '../../service/pipeline/plan.ts';
import { chooseSteps } from '../../service/scheduler/choose-steps.ts';
import { missingSecrets } from '../../service/scheduler/missing-secrets.ts';
import type { WantedRun } from './create.ts';
import { refusedPlan } from './refused-plan.ts';

/**
 * The steps that were asked for, as the service will choose them. Code 2 for a step that is not there
 * and for a secret that nobody gave, which is a notice where the plan is only shown. Which pipelines
 * can be triggered only the service knows: it says at once what is missing of both.
 */
export function choosePlanned(
  plan: Plan,
  { settings: { only, options }, file }: Pick<WantedRun, 'settings' | 'file'>,
  { isShown }: { readonly isShown: boolean },
): Plan {
  const triggered = plan.steps.flatMap((step) => (step.type === 'trigger' ? [step.pipeline] : []));
  const secrets = isShown || triggered.length > 0 ? allSecrets(plan) : options.secrets;
  try {
    const chosen = chooseSteps(plan, { ...options, secrets }, triggered, only);
    return isShown ? withNotices(chosen, missingSecrets(chosen.steps, options)) : chosen;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw refusedPlan(error.message, file.name, error);
  }
}

const withNotices = ({ notices, ...plan }: Plan, more: readonly string[]): Plan => ({
  ...plan,
  notices: [...notices, ...more],
});

const allSecrets = ({ steps }: Plan): Record<string, string> =>
  Object.fromEntries(
    steps.flatMap((step) =>
      step.type === 'command' ? step.secrets.map(({ key }) => [key, ''] as const) : [],
    ),
  );
