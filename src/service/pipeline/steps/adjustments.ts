/** `adjustments` of a matrix: what is different for some combinations, and further ones. */
import { checkKeys, type Keys } from '../keys.ts';
import { isNull, items, text, type Reading } from '../reading.ts';
import type { Entry, Mapping, Value } from '../value.ts';
import { readVariables } from '../variables.ts';
import type { Combination, Dimensions } from './matrix.ts';
import { readSkip } from './omitted.ts';
import { readSoftFail } from './soft-fail.ts';

const adjustmentKeys: Keys = {
  name: 'an entry of `adjustments`',
  run: ['with', 'skip', 'soft_fail', 'env'],
  shown: {},
};

/** The combinations with all that is adjusted; new ones come last. */
export function readAdjustments(
  reading: Reading,
  entry: Entry | undefined,
  dimensions: Dimensions,
  combinations: readonly Combination[],
): readonly Combination[] {
  const all = new Map(combinations.map((one) => [nameOf(one.values), one]));
  for (const item of items(reading, entry)) {
    const adjustment = readAdjustment(reading, item, dimensions);
    if (adjustment !== undefined) all.set(nameOf(adjustment.values), adjustment);
  }
  return [...all.values()];
}

const nameOf = (values: Combination['values']): string =>
  JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));

function readAdjustment(
  reading: Reading,
  item: Value,
  dimensions: Dimensions,
): Combination | undefined {
  const given = item.kind === 'mapping' ? item.entries.get('with') : undefined;
  if (item.kind !== 'mapping' || given === undefined) {
    reading.problem(item.at, 'an entry of `adjustments` must have `with`');
    return;
  }
  checkKeys(reading, item, adjustmentKeys);
  const values = readWith(reading, given, dimensions);
  return values && { values, ...readChanges(reading, item) };
}

function readChanges(reading: Reading, { entries }: Mapping): Omit<Combination, 'values'> {
  const env = new Map<string, string>();
  readVariables(reading, entries.get('env'), (name, value) => env.set(name, value));
  const softFail = entries.get('soft_fail');
  return {
    skip: readSkip(reading, entries.get('skip')),
    softFail: softFail && !isNull(softFail.value) ? readSoftFail(reading, softFail) : null,
    env: Object.fromEntries(env),
  };
}

/** The combination that is meant: a value of each dimension, or the value of a plain list. */
function readWith(
  reading: Reading,
  { at, value }: Entry,
  dimensions: Dimensions,
): Combination['values'] | undefined {
  const names = [...dimensions.keys()];
  if (value.kind !== 'mapping') {
    const [only] = value.kind === 'list' ? value.items : [value];
    const isOne = value.kind === 'scalar' || value.items.length === 1;
    const [name] = names;
    if (only && isOne && names.length === 1 && name !== undefined)
      return { [name]: text(reading, only, '`with`') };
    reading.problem(value.at, `\`with\` must have a value of ${listed(names)}`);
    return;
  }
  const given = value.entries;
  const unknown = [...given.values()].filter(({ key }) => !dimensions.has(key));
  for (const { key, at: place } of unknown)
    reading.problem(place, `\`${key}\` is no dimension of the matrix`);
  const missing = names.filter((name) => !given.has(name));
  if (missing.length > 0) reading.problem(at, `\`with\` must have a value of ${listed(missing)}`);
  if (unknown.length > 0 || missing.length > 0) return undefined;
  return Object.fromEntries(
    [...given.values()].map((one) => [one.key, text(reading, one.value, '`with`')]),
  );
}

const listed = (names: readonly string[]): string =>
  names.map((name) => (name === '' ? 'the matrix' : `\`${name}\``)).join(', ');
