/** `matrix` of a command step: which combinations there are, and the step of each. */
import type { Omitted, SoftFail } from '../plan.ts';
import { isNull, text, type Reading } from '../reading.ts';
import type { Entry, Value } from '../value.ts';
import { checkKeys, type Keys } from '../keys.ts';
import { readAdjustments } from './adjustments.ts';

/** One job of a matrix. What it changes of the step is null where it does not. */
export interface Combination {
  readonly values: Readonly<Record<string, string>>;
  readonly skip: Omitted | null;
  readonly softFail: SoftFail | null;
  readonly env: Readonly<Record<string, string>>;
}

/** Values by dimension; that of a plain list is called `''`. */
export type Dimensions = ReadonlyMap<string, readonly string[]>;

const maxDimensions = 6;
const maxValues = 25;
const maxJobs = 50;
const matrixKeys: Keys = { name: '`matrix`', run: ['setup', 'adjustments'], shown: {} };

/** Null where there is no matrix. */
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
  if (combinations.length > maxJobs) {
    reading.problem(
      entry.at,
      `the matrix has ${combinations.length} jobs, and may have ${maxJobs}`,
    );
    return { combinations: [] };
  }
  return { combinations };
}

/** Undefined, with its problems reported, where it is not to be combined. */
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
    const count = `${lists.length} dimensions, and may have ${maxDimensions}`;
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
  return undefined;
}

function readValues(reading: Reading, name: string, list: Value): string[] | undefined {
  const what = name === '' ? 'the matrix' : `\`${name}\` of the matrix`;
  const values = list.kind === 'list' ? list.items : [list];
  if (name !== '' && !/^[A-Za-z0-9_]+$/.test(name))
    reading.problem(list.at, `${what} is no name of a dimension (letters, digits and _ alone)`);
  else if (values.length === 0) reading.problem(list.at, `${what} has no values`);
  else if (values.length > maxValues)
    reading.problem(list.at, `${what} has ${values.length} values, and may have ${maxValues}`);
  else return values.map((value) => text(reading, value, 'a value of a matrix'));
  return undefined;
}

/** Every combination; the first dimension changes last. */
function combine(dimensions: Dimensions): Combination[] {
  let all: Record<string, string>[] = [{}];
  for (const [name, values] of dimensions) {
    // More are refused anyway, and 25 to the sixth would not fit into memory.
    if (all.length > maxJobs * maxValues) break;
    all = all.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
  }
  return all.map((values) => ({ values, skip: null, softFail: null, env: {} }));
}
