import { CictlError } from '../../errors.ts';
import { Refusal } from '../../service/domain/refusal.ts';
import type { Plan } from '../../service/pipeline/plan.ts';
import { chooseSteps } from '../../service/scheduler/choose-steps.ts';
import type { RunSettings } from './request.ts';

/**
 * The steps that were asked for, as the service will choose them; which pipelines can be triggered
 * only the service knows. Code 2 for a step that is not there and, unless it is only shown, for a
 * secret that nobody gave.
 */
export function choosePlanned(
  plan: Plan,
  { only, options }: RunSettings,
  { isShown }: { readonly isShown: boolean },
): Plan {
  const secrets = isShown ? allSecrets(plan) : options.secrets;
  const triggered = plan.steps.flatMap((step) => (step.type === 'trigger' ? [step.pipeline] : []));
  try {
    return chooseSteps(plan, { ...options, secrets }, triggered, only);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const [message = '', ...details] = error.message.split('\n');
    throw new CictlError('usage', message, { details, cause: error });
  }
}

const allSecrets = ({ steps }: Plan): Record<string, string> =>
  Object.fromEntries(
    steps.flatMap((step) =>
      step.type === 'command' ? step.secrets.map(({ key }) => [key, ''] as const) : [],
    ),
  );
