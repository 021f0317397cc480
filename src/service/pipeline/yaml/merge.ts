import type { Entry, Report, Value } from '../value.ts';

/** `<<`: keys that are there already stay; of several mappings the first one wins. */
export function mergeInto(entries: Map<string, Entry>, source: Value, report: Report): void {
  const sources = source.kind === 'list' ? source.items : [source];
  for (const one of sources) {
    if (one.kind !== 'mapping') {
      report(one.at, '`<<` takes a mapping, an alias of one, or a list of these');
      continue;
    }
    for (const [key, entry] of one.entries) if (!entries.has(key)) entries.set(key, entry);
  }
}
