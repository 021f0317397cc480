import { text, type Reading } from '../reading.ts';
import type { Entry } from '../value.ts';

/** `agents` as rules: `{queue: linux}` and `[queue=linux]` both give `queue=linux`. */
export function readAgents(reading: Reading, { value }: Entry): string[] {
  if (value.kind === 'list') return value.items.map((item) => text(reading, item, 'an agent rule'));
  if (value.kind === 'mapping') {
    return [...value.entries.values()].map(
      (entry) => `${entry.key}=${text(reading, entry.value, `\`${entry.key}\``)}`,
    );
  }
  if (!value.isNull) reading.problem(value.at, '`agents` must be a mapping or a list');
  return [];
}
