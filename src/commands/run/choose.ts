import { Refusal } from '../../service/domain/refusal.ts';
import type { Plan } from '../../service/pipeline/plan.ts';
import { chooseSteps } from '../../service/scheduler/choose-steps.ts';
import type { WantedRun } from './create.ts';
import { refusedPlan } from './refused-plan.ts';

/**
 * The steps that were asked for, as the service will choose them. Code 2 for a step that is not there
 * and, unless it is only shown, for a secret that nobody gave. Which pipelines can be triggered only
 * the service knows: it says at once what is missing of both.
 */
export function choosePlanned(
  plan: Plan,
  { settings: { only, options }, file }: Pick<WantedRun, 'settings' | 'file'>,
  { isShown }: { readonly isShown: boolean },
): Plan {
  const triggered = plan.steps.flatMap((step) => (step.type === 'trigger' ? [step.pipeline] : []));
  const secrets = isShown || triggered.length > 0 ? allSecrets(plan) : options.secrets;
  try {
    return chooseSteps(plan, { ...options, secrets }, triggered, only);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw refusedPlan(error.message, file.name, error);
  }
}

const allSecrets = ({ steps }: Plan): Record<string, string> =>
  Object.fromEntries(
    steps.flatMap((step) =>
      step.type === 'command' ? step.secrets.map(({ key }) => [key, ''] as const) : [],
    ),
  );
