/** A folder for the PATH of jobs: `cictl` is this very tool, `buildkite-agent` what scripts call. */
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { replaceFile } from '../../common/write-files.ts';

export interface ShimOptions {
  /** The Node that runs them; default the one that runs now. */
  readonly node?: string;
  /** Default: `bin/cictl.js` of this package. */
  readonly launcher?: string;
  /** Default: `dist/buildkite-agent.cjs` of this package. */
  readonly agent?: string;
}

/** Writes both into `folder`, which is made where it is missing; resolves to the path of `cictl`. */
export async function writeShim(folder: string, options: ShimOptions = {}): Promise<string> {
  const { node = execPath, launcher = join(findPackage(), 'bin/cictl.js') } = options;
  // The bundle, also where this runs from the source.
  const { agent = join(findPackage(), 'dist/buildkite-agent.cjs') } = options;
  await writeLauncher(join(folder, 'buildkite-agent'), node, agent);
  return writeLauncher(join(folder, 'cictl'), node, launcher);
}

async function writeLauncher(path: string, node: string, program: string): Promise<string> {
  // Behind `--`, or Node would take `--env-file` for its own.
  const script = `#!/bin/sh\nexec ${quote(node)} -- ${quote(program)} "$@"\n`;
  if ((await readFile(path, 'utf8').catch(() => undefined)) === script) return path;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Renamed into place: a job of another build may be starting the old one right now.
  await replaceFile(path, script, 0o700);
  return path;
}

/** From the source as from the bundle: the nearest folder above with the launcher. */
function findPackage(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'bin/cictl.js'))) {
    if (dirname(folder) === folder) throw new Error('bin/cictl.js is missing from the package');
    folder = dirname(folder);
  }
  return folder;
}

const quote = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;
