import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../common/write-files.ts';

/** A repository that no template and no setting of the user's has a part in. */
export async function initRepository(
  gitDir: string,
  format: string,
  branch: string,
): Promise<void> {
  for (const folder of ['objects/pack', 'objects/info', 'refs/heads', 'info'])
    await makeFolder(join(gitDir, folder), 0o700);
  const files = {
    HEAD: `ref: refs/heads/${branch}\n`,
    config: `[core]\n${settings}${format === 'sha1' ? version0 : version1(format)}`,
    // Counts more than those of the folder: what filters (of LFS) have put there is what jobs get.
    'info/attributes': '* -filter\n',
  };
  for (const [name, text] of Object.entries(files))
    await writeFile(join(gitDir, name), text, { mode: 0o600 });
}

const settings =
  '\tbare = true\n\tautocrlf = false\n\tsafecrlf = false\n\tfilemode = true\n\tsymlinks = true\n';
const version0 = '\trepositoryformatversion = 0\n';
const version1 = (format: string): string =>
  `\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = ${format}\n`;
