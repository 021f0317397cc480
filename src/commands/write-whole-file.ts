import { lstat, open, readdir, readlink, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isDraftName, makeFolder, openDraft } from '../common/write-files.ts';
import type { Context } from '../context.ts';
import { CictlError } from '../errors.ts';

/**
 * Writes a file completely or not at all: writes a temporary file next to `path`, then renames it.
 * First removes temporary files of killed processes. Writes directly to devices. A relative path
 * starts at the working directory. Exit code 10 if writing fails; errors from the source are thrown
 * unchanged.
 */
export async function writeWholeFile(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { cwd, clock }: Pick<Context, 'cwd' | 'clock'>,
): Promise<void> {
  const named = resolve(cwd, path);
  if (await isDevice(named)) return writeThrough(named, path, chunks);
  // Replace the target of a symbolic link instead of the link itself.
  const target = await realpath(named).catch(() => named);
  await removeOldDrafts(dirname(target), clock.now());
  const draft = await openDraft(target).catch(cannotWrite(path));
  try {
    for await (const chunk of chunks) await draft.file.writeFile(chunk).catch(cannotWrite(path));
    await draft.commit().catch(cannotWrite(path));
  } finally {
    await draft.discard();
  }
}

/**
 * A device, pipe or socket such as `/dev/null` must not be replaced by a file. The same applies to
 * the streams of this process, such as `/dev/stdout`, even if they are redirected to a file.
 */
async function isDevice(path: string): Promise<boolean> {
  const target = await readlink(path).catch(() => '');
  if ([path, target].some((one) => /^\/(dev|proc)\//.test(one))) return true;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

async function writeThrough(
  device: string,
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await open(device, 'w').catch(cannotWrite(path));
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
  ENOENT: 'no such directory',
  ENOTDIR: 'part of the path is not a directory',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the disk',
};

const day = 24 * 60 * 60_000;

/** Removes temporary files that are too old to be in use. Ignores errors. */
export async function removeOldDrafts(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const path of names.filter(isDraftName).map((name) => join(folder, name))) {
    // Our temporary files are never symbolic links.
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() && found.mtimeMs < now - day) await rm(path).catch(() => undefined);
  }
}

/** Creates a directory. Exit code 10 if that fails, with `name` in the message. */
export async function makeOutFolder(path: string, name: string): Promise<void> {
  await makeFolder(path).catch((cause: unknown) => {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new CictlError('machine', `cannot create directory ${name}: ${code}`, { cause });
  });
}
