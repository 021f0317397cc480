/** What of a folder belongs to a snapshot: what is there, but for what git ignores. */
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { runGit, type GitCall } from './run-git.ts';

export interface Listing {
  /** Absolute folder. */
  readonly folder: string;
  /** Git finds a repository from there, in which the folder is not ignored. */
  readonly isInRepository: boolean;
  /** A bare repository, whose rules count where there is no other. */
  readonly gitDir: string;
  /** Absolute folder whose files are nobody's business. */
  readonly except: string;
  readonly signal: AbortSignal;
}

/**
 * Paths of files and links below the folder, a byte a character: names need not be UTF-8. Those in
 * submodules and other repositories within are there too, by the rules of their own.
 */
export async function listFiles(listing: Listing): Promise<string[]> {
  const hidden = relative(await realpath(listing.folder), await realpath(listing.except));
  const isOutside = hidden.startsWith('..');
  const all = await listRepository(listing);
  const prefix = `${Buffer.from(hidden).toString('latin1')}/`;
  return isOutside ? all : all.filter((path) => !path.startsWith(prefix));
}

async function listRepository(listing: Listing): Promise<string[]> {
  const { folder, isInRepository, gitDir, signal } = listing;
  // With an index that is not there nothing is tracked: git lists what there is.
  const env = {
    GIT_INDEX_FILE: join(gitDir, 'no-index'),
    ...(!isInRepository && { GIT_DIR: gitDir, GIT_WORK_TREE: folder }),
  };
  const [present, tracked] = await Promise.all([
    list(['--others'], { cwd: folder, env, signal }),
    isInRepository ? trackedAlthoughIgnored({ folder, signal }) : [],
  ]);
  const files = present.filter((path) => !path.endsWith('/'));
  const nested = present.filter((path) => path.endsWith('/'));
  for (const path of nested) files.push(...(await listNested(listing, path)));
  return [...files, ...tracked];
}

async function listNested(listing: Listing, path: string): Promise<string[]> {
  const folder = join(listing.folder, bytesOf(path).toString());
  const paths = await listRepository({ ...listing, folder, isInRepository: true });
  return paths.map((one) => `${path}${one}`);
}

async function trackedAlthoughIgnored({
  folder,
  signal,
}: Pick<Listing, 'folder' | 'signal'>): Promise<string[]> {
  const paths = await list(['--cached', '--ignored'], { cwd: folder, signal });
  const present = await Promise.all(paths.map((path) => isPresent(folder, path)));
  return paths.filter((_, index) => present[index]);
}

/** A folder that is a link now has taken its files out of the repository. */
async function isPresent(folder: string, path: string): Promise<boolean> {
  try {
    const file = join(folder, bytesOf(path).toString());
    const [found, above] = await Promise.all([lstat(file), realpath(dirname(file))]);
    const isInside = above === join(await realpath(folder), dirname(bytesOf(path).toString()));
    return isInside && (found.isFile() || found.isSymbolicLink());
  } catch {
    return false;
  }
}

async function list(which: readonly string[], call: GitCall): Promise<string[]> {
  const args = [...plainSettings, 'ls-files', '-z', '--exclude-standard', ...which];
  const printed = await runGit(args, call);
  return printed.toString('latin1').split('\0').filter(Boolean);
}

/** No programs of the user's, and nothing remembered. */
const plainSettings = ['-c', 'core.fsmonitor=false', '-c', 'core.untrackedCache=false'];

const bytesOf = (path: string): Buffer => Buffer.from(path, 'latin1');
