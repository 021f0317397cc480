import type { CommandStep } from '../plan.ts';
import { number, type Reading } from '../reading.ts';
import type { Entry } from '../value.ts';

/** The jobs of `parallelism`: one that is not parallel where it is left out, none for 0. */
export function readCopies(
  reading: Reading,
  entry: Entry | undefined,
  max: number,
): readonly CommandStep['parallel'][] {
  const total = number(reading, entry, { min: 0, max });
  if (total === null) return [null];
  if (entry && !Number.isInteger(total)) {
    reading.problem(entry.value.at, '`parallelism` must be a whole number');
    return [null];
  }
  return Array.from({ length: total }, (_, index) => ({ index, total }));
}
