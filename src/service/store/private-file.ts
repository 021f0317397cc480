import { chmodSync, closeSync, openSync } from 'node:fs';

/** Makes the file with mode 0600, or gives it that mode: SQLite would take the usual one. */
export function makeFilePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}
