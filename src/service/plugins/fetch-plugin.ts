/** A plugin from its repository into the cache, once a version. */
import { createHash, randomUUID } from 'node:crypto';
import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../common/write-files.ts';
import { findVersion, type Version } from './find-version.ts';
import { GitError, runGit, type GitWorld } from './run-git.ts';
import type { GitSource } from './source.ts';

export interface Fetched {
  /** The checkout of the repository. */
  readonly folder: string;
  /** Full SHA. */
  readonly commit: string;
  readonly kind: Version['kind'];
  readonly isNew: boolean;
}

/**
 * The checkout of a plugin in `cache`. A tag or a commit is fetched once; a branch, or no version at
 * all, is looked up each time and fetched where it has changed. A folder that is damaged is fetched
 * again. Throws `GitError`, or a sentence.
 */
export async function fetchPlugin(
  world: GitWorld,
  cache: string,
  { address, version }: GitSource,
): Promise<Fetched> {
  await makeFolder(cache, 0o700);
  const fixed = join(cache, folderName(address, version));
  const kept = await wholeCommit(world, fixed);
  if (kept !== null)
    return { folder: fixed, kind: kindOfFixed(version), isNew: false, commit: kept };
  const found = await findVersion(world, cache, address, version);
  const folder = mayChange(found) ? `${fixed}@${found.commit.slice(0, 12)}` : fixed;
  const { kind } = found;
  const known = mayChange(found) ? await wholeCommit(world, folder) : null;
  if (known !== null) return { folder, kind, isNew: false, commit: known };
  const commit = await clone(world, cache, { address, found, folder });
  return { folder, kind, isNew: true, commit };
}

export const mayChange = ({ kind }: Pick<Version, 'kind'>): boolean =>
  kind === 'branch' || kind === 'default';

/** Only a tag or a commit has a folder that is looked for before its repository is asked. */
const kindOfFixed = (version: string | null): Version['kind'] =>
  /^[0-9a-f]{7,64}$/i.test(version ?? '') ? 'commit' : 'tag';

/** To be read by people, and unlike every other. */
function folderName(address: string, version: string | null): string {
  const readable = `${address.replace(/^[a-z+]+:\/\/([^/@]*@)?/i, '')}-${version ?? ''}`;
  const hash = createHash('sha256')
    .update(`${address}#${version ?? ''}`)
    .digest('hex');
  return `${readable.replace(/[^A-Za-z0-9.]+/g, '-').slice(-80)}-${hash.slice(0, 12)}`;
}

interface Cloning {
  readonly address: string;
  readonly found: Version;
  readonly folder: string;
}

/** Beside its place, and renamed when it is whole: two jobs may do so at once. Resolves to its commit. */
async function clone(
  world: GitWorld,
  cache: string,
  { address, found, folder }: Cloning,
): Promise<string> {
  const draft = join(cache, `.draft-${randomUUID()}`);
  try {
    await runGit(world, cache, ['clone', '--quiet', '--no-checkout', '--', address, draft]);
    if (found.kind === 'commit') await needCommit(world, draft, found.commit);
    await runGit(world, draft, ['checkout', '--quiet', '--force', '--detach', found.commit]);
    await runGit(world, draft, ['submodule', '--quiet', 'update', '--init', '--recursive']);
    const commit = await runGit(world, draft, ['rev-parse', 'HEAD']);
    await putInPlace(world, draft, folder);
    return commit.trim();
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** A clone has what branches and tags lead to; another commit is asked for by its whole number. */
async function needCommit(world: GitWorld, draft: string, commit: string): Promise<void> {
  const isThere = () =>
    works(runGit(world, draft, ['rev-parse', '--verify', `${commit}^{commit}`]));
  if (await isThere()) return;
  await works(runGit(world, draft, ['fetch', '--quiet', 'origin', commit]));
  if (!(await isThere())) throw new Error(`it has no commit ${commit}`);
}

/** What another job has put there meanwhile is the same; what is damaged gives way. */
async function putInPlace(world: GitWorld, draft: string, folder: string): Promise<void> {
  for (let left = 10; ; left--) {
    try {
      await rename(draft, folder);
      return;
    } catch (error) {
      if ((await wholeCommit(world, folder)) !== null) return;
      if (left === 0) throw error;
    }
    await removeAtOnce(folder, `${draft}-damaged-${left}`);
  }
}

/** Never half there: another job may be about to put its own in this place. */
async function removeAtOnce(folder: string, aside: string): Promise<void> {
  await rename(folder, aside).catch(() => undefined);
  await rm(aside, { recursive: true, force: true });
}

/** The commit of a checkout; null where it is not there, or not whole. */
async function wholeCommit(world: GitWorld, folder: string): Promise<string | null> {
  const repository = join(folder, '.git');
  if (!(await exists(repository))) return null;
  const place = [`--git-dir=${repository}`, `--work-tree=${folder}`];
  try {
    const commit = await runGit(world, folder, [...place, 'rev-parse', 'HEAD']);
    const missing = await runGit(world, folder, [...place, 'ls-files', '--deleted']);
    return missing === '' ? commit.trim() : null;
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}

const works = (call: Promise<string>): Promise<boolean> =>
  call.then(
    () => true,
    (error: unknown) => {
      if (error instanceof GitError) return false;
      throw error;
    },
  );

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
