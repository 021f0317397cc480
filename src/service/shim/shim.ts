/** A folder for the PATH of jobs, in which `cictl` is this very tool. */
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { replaceFile } from '../../draft-file.ts';

export interface ShimOptions {
  /** The Node that runs it; default the one that runs now. */
  readonly node?: string;
  /** Default: `bin/cictl.js` of this package. */
  readonly launcher?: string;
}

/** Writes the launcher into `folder`, which is made where it is missing; resolves to its path. */
export async function writeShim(folder: string, options: ShimOptions = {}): Promise<string> {
  const { node = execPath, launcher = findLauncher() } = options;
  // Behind `--`, or Node would take `--env-file` for its own.
  const script = `#!/bin/sh\nexec ${quote(node)} -- ${quote(launcher)} "$@"\n`;
  const path = join(folder, 'cictl');
  if ((await readFile(path, 'utf8').catch(() => undefined)) === script) return path;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Renamed into place: a job of another build may be starting the old one right now.
  await replaceFile(path, script, 0o700);
  return path;
}

/** From the source as from the bundle: the nearest folder above that holds it. */
function findLauncher(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const launcher = join(folder, 'bin', 'cictl.js');
    if (existsSync(launcher)) return launcher;
    if (dirname(folder) === folder) throw new Error('bin/cictl.js is missing from the package');
    folder = dirname(folder);
  }
}

const quote = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;
