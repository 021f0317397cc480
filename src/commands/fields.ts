import { parseJson } from '../api/json.ts';
import type { Context } from '../context.ts';
import { pair } from '../parse/pair.ts';
import { readValue } from './read-value.ts';

/** `-f` and `-F` of `graphql` and `api`. */
export interface FieldFlags {
  readonly field: readonly string[];
  readonly typedField: readonly string[];
}

/** The members that the flags give; `-F` reads true, false, null, numbers and `@FILE`. */
export async function fieldValues(
  { field, typedField }: FieldFlags,
  context: Pick<Context, 'cwd' | 'stdin'>,
): Promise<Record<string, unknown>> {
  const values: [string, unknown][] = field.map((text) => pair(text, '--field'));
  for (const text of typedField) {
    const [key, value] = pair(text, '--typed-field');
    values.push([key, await typed(value, `-F ${key}`, context)]);
  }
  return Object.fromEntries(values);
}

async function typed(
  text: string,
  name: string,
  context: Pick<Context, 'cwd' | 'stdin'>,
): Promise<unknown> {
  if (text.startsWith('@')) return readValue(text, name, context);
  return isLiteral(text) ? parseJson(text) : text;
}

/** A JSON number keeps its digits; anything else that is no keyword stays a string. */
const isLiteral = (text: string): boolean =>
  /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(text);
