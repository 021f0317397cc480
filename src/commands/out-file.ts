import { usageError } from '../errors.ts';

/** What names standard output where a file is written. */
export const standardOutput = '-';

/** Code 2, naming the flag, for an empty name. */
export function checkOutFile(flag: string, name: string | undefined): void {
  if (name === '') throw usageError(`${flag} takes a file, not ""`);
}

/** Code 2 for what is no folder: one that is named `-` is written `./-`. */
export function checkOutFolder(flag: string, name: string | undefined): void {
  if (name === '' || name === standardOutput)
    throw usageError(`${flag} takes a folder, not ${name === '' ? '""' : name}`);
}
