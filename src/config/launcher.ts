/** How to start this tool once more: its Node and its launcher. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Launcher {
  /** Absolute path of the Node that runs now. */
  readonly node: string;
  /** Absolute path of `bin/cictl.js`. */
  readonly script: string;
}

/** The launcher beside this file's package, whether this file is bundled or not. */
export const findLauncher = (): Launcher => ({
  node: process.execPath,
  script: above(import.meta.dirname, join('bin', 'cictl.js')),
});

function above(folder: string, name: string): string {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`no ${name} above ${import.meta.dirname}`);
  return above(parent, name);
}
