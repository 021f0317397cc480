/** What each step of a plan waits for, as `run --plan` shows it. */
import { needsOf } from '../../service/domain/needs.ts';
import type { Step } from '../../service/pipeline/plan.ts';

/** Steps, by their indexes in the plan, that have to come first. */
export interface ShownNeed {
  readonly steps: readonly number[];
  /** The key by which the file names them; null: the order of the file. */
  readonly key: string | null;
  readonly allowFailure: boolean;
}

/** By index of the step. */
export const planNeeds = (steps: readonly Step[]): readonly (readonly ShownNeed[])[] =>
  steps.map((step, index) => {
    const named = step.dependsOn ?? step.group?.dependsOn;
    if (named)
      return named.map(({ step: key, allowFailure }) => ({
        steps: steps.flatMap((one, at) => (one.key === key || one.group?.key === key ? [at] : [])),
        key,
        allowFailure,
      }));
    return needsOf(steps, index).map(({ step: before, allowFailure }) => ({
      steps: [before],
      key: null,
      allowFailure,
    }));
  });
