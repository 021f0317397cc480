/** Plugins from a folder of the user's, for a machine without a network (`--plugins-from`). */
import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pluginName } from './plugin-name.ts';
import type { GitSource } from './source.ts';

/** The folder of the plugin in `from`. Throws with the names that were looked for. */
export async function givenFolder(from: string, text: string, source: GitSource): Promise<string> {
  const names = namesOf(text, source);
  for (const name of names) {
    const folder = resolve(from, name);
    if (await isFolder(folder)) return folder;
  }
  throw new Error(`it is not in ${from}, neither as ${names.join(' nor as ')}`);
}

/** `docker-buildkite-plugin`, then `docker`. */
function namesOf(text: string, { address, subfolder }: GitSource): string[] {
  const repository = basename(address.replace(/\/+$/, ''), '.git');
  return [...new Set([join(repository, subfolder), pluginName(text)])];
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
