/** Files that a command writes: all of it, or nothing; but what is no file is written to as it is. */
import { open, readlink, realpath, stat, lstat, readdir, rm } from 'node:fs/promises';
import { dirname, resolve, join } from 'node:path';
import type { Context } from '../context.ts';
import { openDraft, isDraftName } from '../common/write-files.ts';
import { CictlError } from '../errors.ts';

/**
 * Writes beside `path` and renames, so that a failure leaves what was there; what a process that was
 * killed has left beside it is removed first. A relative path starts at the working folder. Code 10
 * when it cannot be written; errors of the source go through.
 */
export async function writeWholeFile(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { cwd, clock }: Pick<Context, 'cwd' | 'clock'>,
): Promise<void> {
  const named = resolve(cwd, path);
  if (await isDevice(named)) return writeThrough(named, path, chunks);
  // A link stays one: what it leads to is replaced.
  const place = await realpath(named).catch(() => named);
  await removeOldDrafts(dirname(place), clock.now());
  const draft = await openDraft(place).catch(cannotWrite(path));
  try {
    for await (const chunk of chunks) await draft.file.writeFile(chunk).catch(cannotWrite(path));
    await draft.commit().catch(cannotWrite(path));
  } finally {
    await draft.discard();
  }
}

/**
 * A device, a pipe or a socket, such as `/dev/null`: a file in its place would take it away. So are the
 * streams of this process, `/dev/stdout`, also where they lead to a file.
 */
async function isDevice(place: string): Promise<boolean> {
  const target = await readlink(place).catch(() => '');
  if ([place, target].some((one) => /^\/(dev|proc)\//.test(one))) return true;
  return stat(place).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  );
}

async function writeThrough(
  place: string,
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await open(place, 'w').catch(cannotWrite(path));
  try {
    for await (const chunk of chunks) await file.writeFile(chunk).catch(cannotWrite(path));
  } finally {
    await file.close();
  }
}

const cannotWrite =
  (path: string) =>
  (error: unknown): never => {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const reason = reasons[code] ?? code;
    throw new CictlError('machine', `cannot write ${path}: ${reason}`, { cause: error });
  };

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such folder',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'no space is left',
};

/** Longer than any file is written without a pause. */
const day = 24 * 60 * 60_000;

/**
 * Removes what a process that was killed has left of the files that it wrote into this folder. It
 * is a service to the user that no command fails of.
 */
export async function removeOldDrafts(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter(isDraftName)) {
    await removeOld(join(folder, name), now - day).catch(() => undefined);
  }
}

/** A link of such a name is not ours, whatever it leads to. */
async function removeOld(path: string, before: number): Promise<void> {
  const found = await lstat(path);
  if (found.isFile() && found.mtimeMs < before) await rm(path);
}
