import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ran } from './problems.ts';

/** The tests that have run so far, as recorded by `record.ts`. */
export function readRan(folder: string): Ran {
  const ran = new Map<string, readonly string[]>();
  for (const name of readdirSync(folder)) {
    const { file, tests } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Left;
    ran.set(file, [...(ran.get(file) ?? []), ...tests]);
  }
  return ran;
}

interface Left {
  readonly file: string;
  readonly tests: readonly string[];
}
