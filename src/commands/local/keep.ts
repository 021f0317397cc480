import { usageError } from '../../errors.ts';
import { keepForms, parseKeep } from '../../service/pruner.ts';

/** Code 2 where `--keep` says nothing that can be kept. */
export function checkKeep(keep: string): void {
  if (parseKeep(keep) === undefined)
    throw usageError(`--keep takes ${keepForms}, not ${JSON.stringify(keep)}`);
}

/** As the service takes it: null for all. */
export const keepOf = (keep: string): string | null => (keep === 'all' ? null : keep);
