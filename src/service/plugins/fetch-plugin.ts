/** A plugin from its repository into the cache, once a version. */
import { createHash, randomUUID } from 'node:crypto';
import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../make-folder.ts';
import { findVersion, type Version } from './find-version.ts';
import { runGit, type GitWorld } from './run-git.ts';
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
 * all, is looked up each time and fetched where it has changed. Throws `GitError`, or a sentence.
 */
export async function fetchPlugin(
  world: GitWorld,
  cache: string,
  { address, version }: GitSource,
): Promise<Fetched> {
  await makeFolder(cache, 0o700);
  const fixed = join(cache, folderName(address, version));
  if (await exists(fixed)) return described(world, fixed, kindOfFixed(version), false);
  const found = await findVersion(world, cache, address, version);
  const folder = mayChange(found) ? `${fixed}@${found.commit.slice(0, 12)}` : fixed;
  if (await exists(folder)) return described(world, folder, found.kind, false);
  await clone(world, cache, { address, found, folder });
  return described(world, folder, found.kind, true);
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

/** Beside its place, and renamed when it is whole: two jobs may do so at once. */
async function clone(world: GitWorld, cache: string, { address, found, folder }: Cloning) {
  const draft = join(cache, `.draft-${randomUUID()}`);
  try {
    await runGit(world, cache, ['clone', '--quiet', '--no-checkout', '--', address, draft]);
    await runGit(world, draft, ['checkout', '--quiet', '--force', '--detach', found.commit]);
    await runGit(world, draft, ['submodule', '--quiet', 'update', '--init', '--recursive']);
    await putInPlace(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** What another job has put there meanwhile is the same. */
async function putInPlace(draft: string, folder: string): Promise<void> {
  try {
    await rename(draft, folder);
  } catch (error) {
    if (!(await exists(folder))) throw error;
  }
}

const described = async (
  world: GitWorld,
  folder: string,
  kind: Version['kind'],
  isNew: boolean,
): Promise<Fetched> => ({
  ...{ folder, kind, isNew },
  commit: (await runGit(world, folder, ['rev-parse', 'HEAD'])).trim(),
});

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
