/** Wait steps. */
import type { WaitStep } from '../plan.ts';
import { aliased, flag, type Reading } from '../reading.ts';
import type { Mapping } from '../value.ts';
import { readBase, readLabel } from './base.ts';
import type { StepContext } from './context.ts';

export function readWait(reading: Reading, step: Mapping, context: StepContext): WaitStep {
  const label = readLabel(reading, step, aliased(reading, step, ['wait', 'waiter']));
  return {
    ...readBase(reading, step, 'gate', label, context),
    type: 'wait',
    continueOnFailure: flag(reading, step.entries.get('continue_on_failure'), false),
  };
}
