import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openDraft, type DraftFile } from '../draft-file.ts';
import { makeFolder } from '../make-folder.ts';

/** A file of the cache that is being written: for this user alone, and so is its folder. */
export async function openCacheDraft(path: string): Promise<DraftFile> {
  const folder = dirname(path);
  await makeFolder(folder, 0o700);
  for (const each of [dirname(folder), folder]) await chmod(each, 0o700);
  return openDraft(path, 0o600);
}
