import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Env } from './env.ts';

/** Where bash is, by the PATH of this machine: a job may have a PATH of its own without it. */
export function findBash(env: Env): string {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, 'bash');
    if (folder !== '' && isExecutable(file)) return file;
  }
  return '/bin/bash';
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
