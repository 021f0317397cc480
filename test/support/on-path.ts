/** Makes the tool available under its name on the PATH, as users have it. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Home } from './home.ts';
import { toolLine } from './tool.ts';

/**
 * The environment of a home, with a directory first on the PATH that contains these programs and
 * `cictl`.
 */
export async function withPrograms(
  home: Home,
  programs: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const folder = join(home.root, 'bin');
  await mkdir(folder, { recursive: true });
  const own = `#!/bin/sh\nexec ${toolLine} "$@"\n`;
  for (const [name, text] of Object.entries({ cictl: own, ...programs })) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), 0o755);
  }
  return { ...home.env, PATH: [folder, home.env['PATH']].join(delimiter) };
}
