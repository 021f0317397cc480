import type { Omitted, SoftFail } from '../plan.ts';
import { isNull, text, type Reading, items, takeRoom, readVariables, invalid } from '../reading.ts';
import type { Entry, Value, Mapping, SourcePosition } from '../value.ts';
import { checkKeys, type Keys } from '../keys.ts';
import { readSkip } from './omitted.ts';
import { readSoftFail } from './failures.ts';

/** One job of a matrix. If an attribute is null, the job has the step's value. */
export interface Combination {
  readonly values: Readonly<Record<string, string>>;
  readonly skip: Omitted | null;
  readonly softFail: SoftFail | null;
  readonly env: Readonly<Record<string, string>>;
}

/** Values by dimension; a plain list is the dimension `''`. */
type Dimensions = ReadonlyMap<string, readonly string[]>;

const maxDimensions = 6;
const maxValues = 25;
const maxJobs = 50;
const matrixKeys: Keys = { name: '`matrix`', run: ['setup', 'adjustments'] };

export function readMatrix(
  reading: Reading,
  entry: Entry | undefined,
): { readonly combinations: readonly Combination[] } | null {
  if (entry === undefined || isNull(entry.value)) return null;
  const { value } = entry;
  if (value.kind === 'mapping') checkKeys(reading, value, matrixKeys);
  const setup = value.kind === 'mapping' ? value.entries.get('setup')?.value : value;
  const dimensions = readSetup(reading, setup ?? value);
  if (dimensions === undefined) return { combinations: [] };
  const adjustments = value.kind === 'mapping' ? value.entries.get('adjustments') : undefined;
  const combinations = readAdjustments(reading, adjustments, dimensions, combine(dimensions));
  if (combinations.length <= maxJobs) return { combinations };
  const problem = `the matrix has ${combinations.length} jobs; the maximum is ${maxJobs}`;
  return invalid(reading, entry, problem, { combinations: [] });
}

function readSetup(reading: Reading, setup: Value): Dimensions | undefined {
  if (setup.kind === 'scalar') {
    reading.problem(setup.at, '`matrix` must be a list of values, or have `setup`');
    return;
  }
  const lists: [string, Value][] =
    setup.kind === 'list'
      ? [['', setup]]
      : [...setup.entries.values()].map(({ key, value }) => [key, value]);
  if (lists.length > maxDimensions) {
    const count = `${lists.length} dimensions; the maximum is ${maxDimensions}`;
    reading.problem(setup.at, `the matrix has ${count}`);
    return;
  }
  const dimensions = new Map<string, readonly string[]>();
  for (const [name, list] of lists) {
    const values = readValues(reading, name, list);
    if (values !== undefined) dimensions.set(name, values);
  }
  if (dimensions.size < lists.length) return;
  if (dimensions.size > 0) return dimensions;
  reading.problem(setup.at, 'the matrix has no values');
}

function readValues(reading: Reading, name: string, list: Value): string[] | undefined {
  const what = name === '' ? 'the matrix' : `\`${name}\` in the matrix`;
  const values = list.kind === 'list' ? list.items : [list];
  if (name !== '' && !/^[A-Za-z0-9_]+$/.test(name))
    reading.problem(
      list.at,
      `${what} is not a valid dimension name (use only letters, digits and _)`,
    );
  else if (values.length === 0) reading.problem(list.at, `${what} has no values`);
  else if (values.length > maxValues)
    reading.problem(list.at, `${what} has ${values.length} values; the maximum is ${maxValues}`);
  else return values.map((value) => text(reading, value, 'a matrix value'));
  return undefined;
}

/** Returns all combinations. The last dimension changes fastest. */
function combine(dimensions: Dimensions): Combination[] {
  let all: Record<string, string>[] = [{}];
  for (const [name, values] of dimensions) {
    // The limit is already exceeded, and six dimensions of 25 values would not fit into memory.
    if (all.length > maxJobs * maxValues) break;
    all = all.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
  }
  return all.map((values) => ({ values, skip: null, softFail: null, env: {} }));
}

const adjustmentKeys: Keys = {
  name: 'an `adjustments` entry',
  run: ['with', 'skip', 'soft_fail', 'env'],
};

/**
 * Applies `adjustments`, which change combinations or add new ones at the end. If `with` omits a
 * dimension, the adjustment applies to all values of that dimension.
 */
function readAdjustments(
  reading: Reading,
  entry: Entry | undefined,
  dimensions: Dimensions,
  combinations: readonly Combination[],
): readonly Combination[] {
  let all = [...combinations];
  for (const item of items(reading, entry)) {
    const given = item.kind === 'mapping' ? item.entries.get('with') : undefined;
    if (item.kind !== 'mapping' || given === undefined) {
      reading.problem(item.at, 'an `adjustments` entry must have `with`');
      continue;
    }
    checkKeys(reading, item, adjustmentKeys);
    const values = readWith(reading, given, dimensions);
    const changes = readChanges(reading, item);
    if (values === undefined) continue;
    const isMatched = (one: Combination): boolean =>
      Object.entries(values).every(([name, value]) => one.values[name] === value);
    const missing = [...dimensions.keys()].filter((name) => !Object.hasOwn(values, name));
    if (all.some(isMatched))
      all = all.map((one) => (isMatched(one) ? adjusted(one, changes) : one));
    else if (missing.length === 0) all.push({ values, ...changes });
    else
      reading.problem(
        given.at,
        `\`with\` matches no combination of the matrix; to add one, also set ${listed(missing)}`,
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
  const env = readVariables(reading, entries.get('env'));
  const softFail = entries.get('soft_fail');
  return {
    skip: readSkip(reading, entries.get('skip')),
    softFail: softFail && !isNull(softFail.value) ? readSoftFail(reading, softFail) : null,
    env,
  };
}

function readWith(reading: Reading, { at, value }: Entry, dimensions: Dimensions) {
  const names = [...dimensions.keys()];
  if (value.kind !== 'mapping') {
    const [only] = value.kind === 'list' ? value.items : [value];
    const isOne = value.kind === 'scalar' || value.items.length === 1;
    const [name] = names;
    if (only && isOne && names.length === 1 && name !== undefined)
      return { [name]: text(reading, only, '`with`') };
    reading.problem(value.at, `\`with\` must have a value for ${listed(names)}`);
    return;
  }
  const given = value.entries;
  const unknown = [...given.values()].filter(({ key }) => !dimensions.has(key));
  for (const { key, at: place } of unknown)
    reading.problem(place, `\`${key}\` is not a dimension of the matrix`);
  if (given.size === 0) reading.problem(at, `\`with\` must have a value for ${listed(names)}`);
  if (unknown.length > 0 || given.size === 0) return undefined;
  return Object.fromEntries(
    [...given.values()].map((one) => [one.key, text(reading, one.value, '`with`')]),
  );
}

const listed = (names: readonly string[]): string =>
  names.map((name) => (name === '' ? 'the matrix' : `\`${name}\``)).join(', ');

const token = /\{\{\s*matrix(?:\.([\w.-]+))?\s*\}\}/g;

/** Keys that apply to all jobs of the step, so matrix values are not inserted. */
const whole = new Set(['matrix', 'key', 'id', 'identifier', 'depends_on', 'if', 'branches']);

export function fillMatrix(
  reading: Reading,
  step: Mapping,
  values: Readonly<Record<string, string>>,
): Mapping {
  const longest = Math.max(...Object.values(values).map(({ length }) => length));
  const put = (source: string, at: SourcePosition): string => {
    const count = source.match(token)?.length ?? 0;
    if (!takeRoom(reading, at, source.length + count * longest)) return source;
    return source.replace(token, (found, name: string | undefined) => {
      const value = Object.hasOwn(values, name ?? '') ? values[name ?? ''] : undefined;
      if (value === undefined) reading.problem(at, unknown(found, values));
      // Variables in the value have already been replaced, so its dollar signs are literal.
      return (value ?? '').replaceAll('$', '$$$$');
    });
  };
  const entries = [...step.entries].map(([key, entry]): [string, Entry] => [
    key,
    whole.has(key) ? entry : { ...entry, value: fill(entry.value, put) },
  ]);
  return { ...step, entries: new Map(entries) };
}

const commands = new Set(['command', 'commands', 'script']);

/** Removes the attributes that depend on the matrix, for a matrix that results in no jobs. */
export function withoutTokens(step: Mapping): Mapping {
  const isWhole = ([key, { value }]: readonly [string, Entry]): boolean =>
    commands.has(key) || value.kind !== 'scalar' || value.text.search(token) < 0;
  return { ...step, entries: new Map([...step.entries].filter(isWhole)) };
}

function unknown(found: string, values: Readonly<Record<string, string>>): string {
  const names = Object.keys(values).map((name) =>
    name === '' ? '`{{matrix}}`' : `\`{{matrix.${name}}}\``,
  );
  return `\`${found}\` is not a dimension of the matrix; use ${names.join(', ')}`;
}

type Put = (source: string, at: SourcePosition) => string;

function fill(value: Value, put: Put): Value {
  if (value.kind === 'scalar')
    return value.text.includes('{{') ? { ...value, text: put(value.text, value.at) } : value;
  if (value.kind === 'list') return { ...value, items: value.items.map((one) => fill(one, put)) };
  const entries = [...value.entries.values()].map((entry): [string, Entry] => {
    const key = entry.key.includes('{{') ? put(entry.key, entry.at) : entry.key;
    return [key, { ...entry, key, value: fill(entry.value, put) }];
  });
  return { ...value, entries: new Map(entries) };
}
