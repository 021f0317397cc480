/** `adjustments` of a matrix: what is different for some combinations, and further ones. */
import { checkKeys, type Keys } from '../keys.ts';
import { isNull, items, text, type Reading } from '../reading.ts';
import type { Entry, Mapping } from '../value.ts';
import { readVariables } from '../variables.ts';
import type { Combination, Dimensions } from './matrix.ts';
import { readSkip } from './omitted.ts';
import { readSoftFail } from './soft-fail.ts';

const adjustmentKeys: Keys = {
  name: 'an entry of `adjustments`',
  run: ['with', 'skip', 'soft_fail', 'env'],
  shown: {},
};

/**
 * The combinations with all that is adjusted. `with` may leave out dimensions, and stands for all
 * their values then. New combinations come last.
 */
export function readAdjustments(
  reading: Reading,
  entry: Entry | undefined,
  dimensions: Dimensions,
  combinations: readonly Combination[],
): readonly Combination[] {
  let all = [...combinations];
  for (const item of items(reading, entry)) {
    const given = item.kind === 'mapping' ? item.entries.get('with') : undefined;
    if (item.kind !== 'mapping' || given === undefined) {
      reading.problem(item.at, 'an entry of `adjustments` must have `with`');
      continue;
    }
    checkKeys(reading, item, adjustmentKeys);
    const values = readWith(reading, given, dimensions);
    const changes = readChanges(reading, item);
    if (values === undefined) continue;
    const isMeant = (one: Combination): boolean =>
      Object.entries(values).every(([name, value]) => one.values[name] === value);
    const missing = [...dimensions.keys()].filter((name) => !Object.hasOwn(values, name));
    if (all.some(isMeant)) all = all.map((one) => (isMeant(one) ? adjusted(one, changes) : one));
    else if (missing.length === 0) all.push({ values, ...changes });
    else
      reading.problem(
        given.at,
        `\`with\` fits no combination of the matrix; a new one needs a value of ${listed(missing)}`,
      );
  }
  return all;
}

type Changes = Omit<Combination, 'values'>;

const adjusted = (one: Combination, { skip, softFail, env }: Changes): Combination => ({
  values: one.values,
  skip: skip ?? one.skip,
  softFail: softFail ?? one.softFail,
  env: { ...one.env, ...env },
});

function readChanges(reading: Reading, { entries }: Mapping): Changes {
  const env = new Map<string, string>();
  readVariables(reading, entries.get('env'), (name, value) => env.set(name, value));
  const softFail = entries.get('soft_fail');
  return {
    skip: readSkip(reading, entries.get('skip')),
    softFail: softFail && !isNull(softFail.value) ? readSoftFail(reading, softFail) : null,
    env: Object.fromEntries(env),
  };
}

/** The values that are meant, by dimension, or the value of a plain list. */
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
  if (given.size === 0) reading.problem(at, `\`with\` must have a value of ${listed(names)}`);
  if (unknown.length > 0 || given.size === 0) return undefined;
  return Object.fromEntries(
    [...given.values()].map((one) => [one.key, text(reading, one.value, '`with`')]),
  );
}

const listed = (names: readonly string[]): string =>
  names.map((name) => (name === '' ? 'the matrix' : `\`${name}\``)).join(', ');
