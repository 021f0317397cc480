import { isNull, text, type Reading } from '../reading.ts';
import type { Entry, Value } from '../value.ts';

/**
 * `agents` as rules: `{queue: linux}`, `[queue=linux]`, `[{queue: linux}]` and `queue=linux` all give
 * `queue=linux`. A list of values is a rule for each.
 */
export const readAgents = (reading: Reading, { value }: Entry): string[] =>
  isNull(value) ? [] : readRules(reading, value, '');

function readRules(reading: Reading, value: Value, prefix: string): string[] {
  switch (value.kind) {
    case 'scalar':
      return [prefix + text(reading, value, 'an agent rule')];
    case 'list':
      return value.items.flatMap((item) => readRules(reading, item, prefix));
    case 'mapping':
      return [...value.entries.values()].flatMap((entry) =>
        readRules(reading, entry.value, `${prefix}${entry.key}=`),
      );
  }
}
