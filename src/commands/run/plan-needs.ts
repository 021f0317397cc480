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

/** By index of the step; of the order of the file since the last gate alone. */
export const planNeeds = (steps: readonly Step[]): readonly (readonly ShownNeed[])[] =>
  needsOf(steps).map((needs) =>
    needs.map(({ list, key, allowFailure }) => ({ steps: list.steps, key, allowFailure })),
  );
