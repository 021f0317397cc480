import { usageError } from '../../errors.ts';
import { didYouMean } from '../../suggest.ts';
import type { Parameter } from './parameters.ts';

/** What came with a call. */
export type Given = Readonly<Record<string, unknown>>;

/** Values as they stand on a command line, by the names of the parameters; a switch is `true`. */
export type Texts = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the arguments of a call: `createdFrom` and `created-from` are `created_from`, one value may
 * stand for a list, and an object for its `K=V`. Null counts as left out. Code 2 for the rest.
 */
export function readValues(tool: string, parameters: readonly Parameter[], given: Given): Texts {
  const texts = new Map<string, readonly string[]>();
  for (const [key, value] of Object.entries(given)) {
    const parameter = parameters.find(({ name }) => plain(name) === plain(key));
    if (parameter === undefined) throw unknownName(tool, key, parameters);
    if (value === null || value === undefined) continue;
    texts.set(parameter.name, textsOf(parameter, value));
  }
  return texts;
}

const plain = (name: string): string => name.replace(/[-_]/g, '').toLowerCase();

function unknownName(tool: string, key: string, parameters: readonly Parameter[]): Error {
  const names = parameters.map(({ name }) => name);
  const meant = didYouMean(key, names);
  return usageError(`${tool} takes no "${key}"${meant}; it takes ${names.join(', ')}`);
}

function textsOf({ name, schema }: Parameter, value: unknown): readonly string[] {
  const texts =
    schema.type === 'boolean' ? switchText(value) : valueTexts(name, schema.type, value);
  if (texts !== undefined) return texts;
  const text = JSON.stringify(value).slice(0, 100);
  throw usageError(`${name} is ${kinds[schema.type]}, not ${text}`);
}

const switchText = (value: unknown): string[] | undefined =>
  isScalar(value) && ['true', 'false'].includes(String(value)) ? [String(value)] : undefined;

function valueTexts(name: string, type: string, value: unknown): readonly string[] | undefined {
  if (isScalar(value)) return [String(value)];
  if (type !== 'array') return name === 'body' ? [JSON.stringify(value)] : undefined;
  const all = Array.isArray(value) ? value : pairs(value as Given);
  return all.every(isScalar) ? all.map(String) : undefined;
}

const kinds = {
  string: 'a string',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list of strings',
};

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** `K=V`, several for a list; what is neither text nor number stays, and is refused. */
const pairs = (object: Given): unknown[] =>
  Object.entries(object).flatMap(([key, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map((one) =>
      isScalar(one) ? `${key}=${String(one)}` : one,
    ),
  );
