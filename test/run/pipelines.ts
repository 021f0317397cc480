/** Directories with a pipeline file, for tests of `run` and `local`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from '../support/home.ts';

/** Creates a directory `name` with this pipeline; returns its absolute path. */
export async function pipelineIn(home: Home, name: string, yaml: string): Promise<string> {
  const folder = join(home.cwd, name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'pipeline.yml'), yaml);
  return folder;
}
