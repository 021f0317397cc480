/** Block steps. */
import { plainStep, type BlockStep } from '../plan.ts';
import { aliased, choice, items, optionalText, type Reading } from '../reading.ts';
import type { Mapping } from '../value.ts';
import { readKey, readLabel } from './key-and-label.ts';
import { readFields } from './fields.ts';

export function readBlock(reading: Reading, step: Mapping): BlockStep {
  const { entries } = step;
  return {
    ...plainStep,
    type: 'block',
    definition: 0,
    key: readKey(reading, step),
    label: readLabel(reading, step, aliased(reading, step, ['block', 'manual'])),
    line: step.at.line,
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
