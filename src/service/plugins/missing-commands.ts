import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** Those of the commands that no folder of `path` has, in their order. */
export async function missingCommands(names: readonly string[], path: string): Promise<string[]> {
  const found = await Promise.all(names.map((name) => isThere(name, path.split(delimiter))));
  return names.filter((_, index) => found[index] !== true);
}

async function isThere(name: string, folders: readonly string[]): Promise<boolean> {
  const files = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
  const found = await Promise.all(files.map(isExecutable));
  return found.includes(true);
}

const isExecutable = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
