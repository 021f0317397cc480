import { Refusal } from '../../service/domain/refusal.ts';
import type { Plan } from '../../service/pipeline/plan.ts';
import { chooseSteps } from '../../service/scheduler/choose-steps.ts';
import { missingSecrets } from '../../service/scheduler/missing-secrets.ts';
import type { WantedRun } from './create.ts';
import { refusedPlan } from './refused-plan.ts';

interface Choosing {
  readonly isShown: boolean;
  /** Secrets that the service keeps, by name. */
  readonly kept?: Readonly<Record<string, string>>;
}

/**
 * The steps that were asked for, as the service will choose them. Code 2 for a step that is not there.
 * Which pipelines can be triggered, and which secrets there are, only the service knows: it says at
 * once what is missing of both. Where the plan is only shown, a missing secret is a notice.
 */
export function choosePlanned(
  plan: Plan,
  { settings: { only, options }, file }: Pick<WantedRun, 'settings' | 'file'>,
  { isShown, kept = {} }: Choosing,
): Plan {
  const triggered = plan.steps.flatMap((step) => (step.type === 'trigger' ? [step.pipeline] : []));
  try {
    const chosen = chooseSteps(plan, { ...options, secrets: allSecrets(plan) }, triggered, only);
    const known = { ...kept, ...options.secrets };
    return isShown ? withNotices(chosen, missingSecrets(chosen.steps, known)) : chosen;
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
