import { constants } from 'node:fs';
import { cp, lstat, mkdir, readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/**
 * Copies what is in a folder, links as they are, into one that is there. It may lie inside the
 * first; it and what stands beside it are not copied then. Throws what the system says, and the
 * reason of the signal.
 */
export async function copyFolder(from: string, to: string, signal: AbortSignal): Promise<void> {
  const skipped = relative(await realpath(from), join(await realpath(to), '..'));
  await copyAround(from, to, skipped === '' ? [] : skipped.split(sep), signal);
}

/** `path` leads from here to the folder that is left out; Node refuses to copy one into itself. */
async function copyAround(
  from: string,
  to: string,
  path: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const [next, ...rest] = path;
  for (const name of await readdir(from)) {
    signal.throwIfAborted();
    const [source, target] = [join(from, name), join(to, name)];
    if (name !== next) await cp(source, target, options);
    else if (rest.length > 0) {
      await mkdir(target, { recursive: true });
      await copyAround(source, target, rest, signal);
    }
  }
}

/** Sockets and pipes mean nothing but where their programs have made them; other files may be gone. */
async function hasContent(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && (found.isFile() || found.isDirectory() || found.isSymbolicLink());
}

const options = {
  recursive: true,
  filter: hasContent,
  verbatimSymlinks: true,
  // A file system that can share blocks does.
  mode: constants.COPYFILE_FICLONE,
} as const;
