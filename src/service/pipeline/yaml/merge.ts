import type { Entry, Report, Value } from '../value.ts';

/** `<<`: keys that are there already stay; of several mappings, also in lists, the first one wins. */
export function mergeInto(entries: Map<string, Entry>, source: Value, report: Report): void {
  if (source.kind === 'list') {
    for (const one of source.items) mergeInto(entries, one, report);
  } else if (source.kind === 'scalar') {
    report(source.at, '`<<` takes a mapping, an alias of one, or a list of these');
  } else {
    for (const [key, entry] of source.entries) if (!entries.has(key)) entries.set(key, entry);
  }
}
