import type { PluginUse, Json } from '../plan.ts';
import { invalid, isNull, keyText, text, type Reading } from '../reading.ts';
import type { Entry, Mapping, Scalar, SourcePosition, Value } from '../value.ts';

/** Reads `plugins`: a list of names and name-to-configuration mappings, or a single mapping. */
export function readPlugins(reading: Reading, entry: Entry | undefined): PluginUse[] {
  if (entry === undefined || isNull(entry.value)) return [];
  if (entry.value.kind === 'mapping') return readMapping(reading, entry.value);
  if (entry.value.kind === 'list')
    return entry.value.items.flatMap((item) => readEntry(reading, item));
  reading.problem(entry.value.at, '`plugins` must be a list or mapping of plugins');
  return [];
}

function readEntry(reading: Reading, item: Value): PluginUse[] {
  if (item.kind === 'mapping' && item.entries.size > 0) return readMapping(reading, item);
  if (item.kind === 'scalar' && !item.isNull) {
    const name = text(reading, item, 'a plugin');
    return [{ source: named(reading, name, item.text, item.at), config: null }];
  }
  return invalid(reading, item, 'a plugin must be a name, or a name with its configuration', []);
}

const readMapping = (reading: Reading, { entries }: Mapping): PluginUse[] =>
  [...entries.values()].map((entry) => ({
    source: named(reading, keyText(reading, entry), entry.key, entry.at),
    config: readJson(reading, entry.value),
  }));

function named(reading: Reading, source: string, written: string, at: SourcePosition): string {
  const name = source.trim();
  const why = written.includes('$')
    ? `, but \`${written}\` is empty; set its variables with \`--env NAME=value\``
    : '';
  if (/^(#|$)/.test(name)) reading.problem(at, `a plugin must have a name${why}`);
  return name;
}

/**
 * Converts a value to JSON and replaces its variables. An unquoted number stays a number only if
 * JSON prints it the same way. `010`, `1.10` and `1e3` become strings.
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
  return text(reading, value, 'a plugin configuration value');
}
