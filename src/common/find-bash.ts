import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Env } from './env.ts';

/** Where bash is, by the PATH of this machine: a job may have a PATH of its own without it. */
export const findBash = (env: Env): string => findProgram(env, 'bash') ?? '/bin/bash';

/** The first of that name on the PATH. */
export const findProgram = (env: Env, name: string): string | undefined =>
  (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
