import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

type HostEnv = Readonly<Record<string, string | undefined>>;

const names = new Set(['HOME', 'PATH', 'USER', 'SHELL', 'LANG', 'TMPDIR', 'TERM']);

/** The few variables that jobs get from this machine. All others stay out, tokens above all. */
export function hostVariables(env: HostEnv): Record<string, string> {
  const taken: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (names.has(name) || name.startsWith('LC_'))) taken[name] = value;
  }
  return taken;
}

/** Where bash is, by the PATH of this machine: a job may have a PATH of its own without it. */
export function findBash(env: HostEnv): string {
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
