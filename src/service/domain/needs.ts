/** Which steps a step waits for. */
import type { Step } from '../pipeline/plan.ts';

export interface Need {
  /** Index of the step that has to come first. */
  readonly step: number;
  /** It is enough that it has ended. */
  readonly allowFailure: boolean;
}

/**
 * A gate (`wait`, `block`) needs all steps since the gate before it, and that gate; every other
 * step needs the last gate before it.
 */
export function needsOf(steps: readonly Step[], index: number): readonly Need[] {
  const step = steps[index];
  if (step === undefined) return [];
  const gate = lastGate(steps, index);
  if (!isGate(step)) return gate < 0 ? [] : [{ step: gate, allowFailure: false }];
  const allowFailure = step.type === 'wait' && step.continueOnFailure;
  return steps
    .slice(0, index)
    .map((_, before) => ({ step: before, allowFailure }))
    .slice(Math.max(gate, 0));
}

const isGate = (step: Step): boolean => step.type === 'wait' || step.type === 'block';

const lastGate = (steps: readonly Step[], index: number): number =>
  steps.slice(0, index).findLastIndex(isGate);
