/** `plugins` of a command step. */
import type { PluginUse } from '../plan.ts';
import { isNull, text, type Reading } from '../reading.ts';
import type { Entry, Mapping, Value } from '../value.ts';
import { readJson } from './json.ts';

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
    return [{ source: sourceOf(reading, item), config: null }];
  reading.problem(item.at, 'a plugin must be a name, or a name with its configuration');
  return [];
}

const readMapping = (reading: Reading, { entries, anchored }: Mapping): PluginUse[] =>
  [...entries.values()].map(({ key, at, value }) => ({
    source: sourceOf(reading, { kind: 'scalar', text: key, isNull: false, at, anchored }),
    config: readJson(reading, value),
  }));

function sourceOf(reading: Reading, name: Value): string {
  const source = text(reading, name, 'a plugin').trim();
  if (source === '') reading.problem(name.at, 'a plugin must have a name');
  return source;
}
