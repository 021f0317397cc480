import type { Concurrency } from '../plan.ts';
import { choice, isNull, number, optionalText, type Reading } from '../reading.ts';
import type { Mapping } from '../value.ts';

/** `concurrency`, `concurrency_group` and `concurrency_method`: the first two belong together. */
export function readConcurrency(reading: Reading, step: Mapping): Concurrency | null {
  const { entries } = step;
  const [limitEntry, groupEntry] = [entries.get('concurrency'), entries.get('concurrency_group')];
  const methodEntry = entries.get('concurrency_method');
  const limit = number(reading, limitEntry, { min: 1, max: 1_000_000 });
  const group = optionalText(reading, groupEntry);
  const method = choice(reading, methodEntry, ['ordered', 'eager'], 'ordered');
  const hasLimit = limitEntry !== undefined && !isNull(limitEntry.value);
  if (group !== null && hasLimit) {
    if (limit !== null && !Number.isInteger(limit))
      reading.problem(limitEntry.value.at, '`concurrency` must be a whole number');
    return limit === null ? null : { group, limit, method };
  }
  if (hasLimit) reading.problem(limitEntry.at, '`concurrency` needs a `concurrency_group`');
  if (groupEntry && group !== null)
    reading.problem(groupEntry.at, '`concurrency_group` needs a `concurrency`');
  if (methodEntry && group === null && !hasLimit)
    reading.problem(methodEntry.at, '`concurrency_method` needs a `concurrency_group`');
  return null;
}
