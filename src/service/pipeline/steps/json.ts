import type { Json } from '../plan.ts';
import { keyText, text, type Reading } from '../reading.ts';
import type { Scalar, Value } from '../value.ts';

/**
 * Configuration of a plugin as JSON, with its variables put in. Plain words are numbers, booleans
 * and null where JSON has the same; every other number (`010`, `1.10`, `1e3`) stays as written.
 */
export function readJson(reading: Reading, value: Value): Json {
  if (value.kind === 'list') return value.items.map((item) => readJson(reading, item));
  if (value.kind === 'scalar') return readScalar(reading, value);
  const members = [...value.entries.values()].map((entry): [string, Json] => [
    keyText(reading, entry),
    readJson(reading, entry.value),
  ]);
  return Object.fromEntries(members);
}

function readScalar(reading: Reading, value: Scalar): Json {
  if (value.isNull) return null;
  const { text: source } = value;
  if (value.isPlain === true) {
    if (/^(true|false)$/i.test(source)) return source.toLowerCase() === 'true';
    if (/^-?\d/.test(source) && String(Number(source)) === source) return Number(source);
  }
  return text(reading, value, 'a value of a plugin');
}
