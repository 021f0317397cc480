import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { replaceFile } from '../../common/write-files.ts';

export interface ShimOptions {
  readonly node?: string;
  /** Path of the launcher; defaults to `bin/cictl.js` of this package. */
  readonly launcher?: string;
  /** Path of the agent; defaults to `dist/buildkite-agent.cjs` of this package. */
  readonly agent?: string;
}

/**
 * Writes the programs `cictl` and `buildkite-agent` into a directory on the PATH of each job.
 * Resolves to the path of `cictl`.
 */
export async function writeShim(folder: string, options: ShimOptions = {}): Promise<string> {
  const { node = execPath, launcher = join(findPackage(), 'bin/cictl.js') } = options;
  const { agent = join(findPackage(), 'dist/buildkite-agent.cjs') } = options;
  await writeLauncher(join(folder, 'buildkite-agent'), node, agent);
  return writeLauncher(join(folder, 'cictl'), node, launcher);
}

async function writeLauncher(path: string, node: string, program: string): Promise<string> {
  // Without `--`, Node would parse `--env-file` as its own flag.
  const script = `#!/bin/sh\nexec ${quote(node)} -- ${quote(program)} "$@"\n`;
  if ((await readFile(path, 'utf8').catch(() => undefined)) === script) return path;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Replaced atomically, because a job may be starting the program now.
  await replaceFile(path, script, 0o700);
  return path;
}

/** Finds the nearest parent directory with the launcher, both in the source and in the bundle. */
function findPackage(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'bin/cictl.js'))) {
    if (dirname(folder) === folder) throw new Error('bin/cictl.js is missing from the package');
    folder = dirname(folder);
  }
  return folder;
}

const quote = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;
