/** `plugins` of a command step. */
import type { PluginUse, Json } from '../plan.ts';
import { isNull, keyText, text, type Reading } from '../reading.ts';
import type { Entry, Mapping, Scalar, Value } from '../value.ts';

/** A list of names and of mappings from a name to its configuration, or one mapping of all. */
export function readPlugins(reading: Reading, entry: Entry | undefined): PluginUse[] {
  if (entry === undefined || isNull(entry.value)) return [];
  if (entry.value.kind === 'mapping') return readMapping(reading, entry.value);
  if (entry.value.kind === 'list')
    return entry.value.items.flatMap((item) => readEntry(reading, item));
  reading.problem(entry.value.at, '`plugins` must be a list of plugins, or a mapping of them');
  return [];
}

function readEntry(reading: Reading, item: Value): PluginUse[] {
  if (item.kind === 'mapping' && item.entries.size > 0) return readMapping(reading, item);
  if (item.kind === 'scalar' && !item.isNull)
    return [{ source: named(reading, text(reading, item, 'a plugin'), item), config: null }];
  reading.problem(item.at, 'a plugin must be a name, or a name with its configuration');
  return [];
}

const readMapping = (reading: Reading, { entries }: Mapping): PluginUse[] =>
  [...entries.values()].map((entry) => ({
    source: named(reading, keyText(reading, entry), { text: entry.key, at: entry.at }),
    config: readJson(reading, entry.value),
  }));

function named(reading: Reading, source: string, written: Written): string {
  const name = source.trim();
  if (/^(#|$)/.test(name)) reading.problem(written.at, nameless(written));
  return name;
}

/** How it stands in the file. */
type Written = Pick<Scalar, 'text' | 'at'>;

const nameless = ({ text: words }: Written): string =>
  words.includes('$')
    ? `a plugin must have a name, and nothing is left of \`${words}\`; \`--env NAME=value\` sets a variable`
    : 'a plugin must have a name';

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
