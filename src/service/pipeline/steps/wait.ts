/** Wait steps. */
import { plainStep, type WaitStep } from '../plan.ts';
import { aliased, flag, type Reading } from '../reading.ts';
import type { Mapping } from '../value.ts';
import { readKey, readLabel } from './key-and-label.ts';

export function readWait(reading: Reading, step: Mapping): WaitStep {
  return {
    ...plainStep,
    type: 'wait',
    definition: 0,
    key: readKey(reading, step),
    label: readLabel(reading, step, aliased(reading, step, ['wait', 'waiter'])),
    line: step.at.line,
    continueOnFailure: flag(reading, step.entries.get('continue_on_failure'), false),
  };
}
