import { flag, isNull, text, type Reading } from '../reading.ts';
import type { Entry, Mapping, Value } from '../value.ts';
import { checkKeys, type Keys } from '../keys.ts';
import type { PlacedDependency } from './context.ts';

const dependencyKeys: Keys = {
  name: 'an entry of `depends_on`',
  run: ['step', 'allow_failure'],
  shown: {},
};

/**
 * `depends_on`: a key, or a list of keys and of `{step, allow_failure}`. An empty list asks for
 * nothing, and still takes the step out of the order of the file; null says nothing.
 */
export function readDependencies(
  reading: Reading,
  entry: Entry | undefined,
): PlacedDependency[] | null {
  if (entry === undefined || isNull(entry.value)) return null;
  const values = entry.value.kind === 'list' ? entry.value.items : [entry.value];
  return values.flatMap((value) => readDependency(reading, value));
}

function readDependency(reading: Reading, value: Value): PlacedDependency[] {
  if (value.kind === 'mapping') return readMapping(reading, value);
  if (value.kind === 'scalar' && !value.isNull) {
    const step = text(reading, value, '`depends_on`');
    return [{ step, allowFailure: false, at: value.at }];
  }
  reading.problem(value.at, 'an entry of `depends_on` must be a key, or have `step`');
  return [];
}

function readMapping(reading: Reading, value: Mapping): PlacedDependency[] {
  checkKeys(reading, value, dependencyKeys);
  const step = value.entries.get('step');
  const allowFailure = flag(reading, value.entries.get('allow_failure'), false);
  if (step !== undefined && !isNull(step.value))
    return [{ step: text(reading, step.value, '`step`'), allowFailure, at: step.value.at }];
  reading.problem(value.at, 'an entry of `depends_on` must be a key, or have `step`');
  return [];
}
