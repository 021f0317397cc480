import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Env } from './env.ts';

/** Searches the PATH that cictl was started with, because a job's own PATH may lack bash. */
export const findBash = (env: Env): string => findProgram(env, 'bash') ?? '/bin/bash';

export const findProgram = (env: Env, name: string): string | undefined =>
  (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
