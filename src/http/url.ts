import { usageError } from '../errors.ts';

/** Arrays become `name[]=…`, objects `name[key]=…`; undefined and empty values are omitted. */
export type Query = Readonly<
  Record<
    string,
    string | number | boolean | readonly string[] | Readonly<Record<string, string>> | undefined
  >
>;

/** Appends percent-encoded segments. Usage error for segments such as `..` that change the path. */
export function urlBelow(
  base: string,
  segments: readonly (string | number)[],
  query: Query = {},
): URL {
  const url = new URL(`${base.replace(/\/+$/, '')}/${segments.map(encodeSegment).join('/')}`);
  url.username = '';
  url.password = '';
  for (const [name, value] of pairs(query)) url.searchParams.append(name, value);
  return url;
}

function encodeSegment(segment: string | number): string {
  const text = String(segment);
  if (unfit.test(text)) throw unfitError(text);
  try {
    return encodeURIComponent(text);
  } catch {
    throw unfitError(text);
  }
}

const unfit = /^\.{0,2}$|[/?#\u0000-\u001f\u007f-\u009f]/;

const unfitError = (text: string) => usageError(`${JSON.stringify(text)} cannot be part of a URL`);

function* pairs(query: Query): Generator<[string, string]> {
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value !== 'object') yield [name, String(value)];
    else if (Array.isArray(value)) yield* listPairs(name, value as readonly string[]);
    else for (const [key, text] of Object.entries(value)) yield [`${name}[${key}]`, text];
  }
}

function* listPairs(name: string, values: readonly string[]): Generator<[string, string]> {
  const [first] = values;
  if (values.length === 1 && first !== undefined) yield [name, first];
  else for (const value of values) yield [`${name}[]`, value];
}
