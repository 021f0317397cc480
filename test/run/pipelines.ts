/** Folders with a pipeline file, for the tests of `run` and `local`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from '../support/home.ts';

/** A folder `name` below the working folder with this pipeline; gives its absolute path. */
export async function pipelineIn(home: Home, name: string, yaml: string): Promise<string> {
  const folder = join(home.cwd, name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'pipeline.yml'), yaml);
  return folder;
}
