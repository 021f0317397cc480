/** The step of one job of a matrix: `{{matrix}}` and `{{matrix.os}}` put into all its texts. */
import { takeRoom, type Reading } from '../reading.ts';
import type { Entry, Mapping, SourcePosition, Value } from '../value.ts';

const token = /\{\{\s*matrix(?:\.([\w.-]+))?\s*\}\}/g;

/** Keys that belong to the whole step, or are read before. */
const whole = new Set(['matrix', 'key', 'id', 'identifier', 'depends_on', 'if', 'branches']);

/** A dimension that the matrix has not is reported where it is used. */
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
      // The value itself is read already: a dollar sign in it is one.
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

/** The step of a matrix that has no jobs, less what only a job of it would have as a value. */
export function withoutTokens(step: Mapping): Mapping {
  const isWhole = ([key, { value }]: readonly [string, Entry]): boolean =>
    commands.has(key) || value.kind !== 'scalar' || value.text.search(token) < 0;
  return { ...step, entries: new Map([...step.entries].filter(isWhole)) };
}

function unknown(found: string, values: Readonly<Record<string, string>>): string {
  const names = Object.keys(values).map((name) =>
    name === '' ? '`{{matrix}}`' : `\`{{matrix.${name}}}\``,
  );
  return `\`${found}\` is no dimension of the matrix; there is ${names.join(', ')}`;
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
