/** Block and input steps. */
import type { BlockStep } from '../plan.ts';
import { aliased, choice, items, optionalText, type Reading } from '../reading.ts';
import type { Mapping } from '../value.ts';
import { readBase } from './base.ts';
import type { StepContext } from './context.ts';
import { readLabel } from './key-and-label.ts';
import { readFields } from './fields.ts';

export function readBlock(
  reading: Reading,
  step: Mapping,
  type: BlockStep['type'],
  context: StepContext,
): BlockStep {
  const { entries } = step;
  const named = aliased(reading, step, type === 'block' ? ['block', 'manual'] : ['input']);
  const label = readLabel(reading, step, named);
  return {
    ...readBase(reading, step, type === 'block' ? 'gate' : 'step', label, context),
    type,
    prompt: optionalText(reading, entries.get('prompt')),
    fields: readFields(reading, items(reading, entries.get('fields'))),
    blockedState: choice(
      reading,
      entries.get('blocked_state'),
      ['passed', 'failed', 'running'],
      'passed',
    ),
  };
}
