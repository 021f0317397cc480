/** Where the files of a plugin are: in the repository, in the cache, or in a folder of the user's. */
import { access, stat, rename, rm } from 'node:fs/promises';
import { join, resolve, basename } from 'node:path';
import { createHash, randomUUID } from 'node:crypto';
import { PluginError, type PluginRequest, type ReadyPlugin } from './plugin.ts';
import { redactAddresses, GitError, runGit, type GitWorld } from './run-git.ts';
import { readSource, type GitSource, pluginName } from './source.ts';
import { makeFolder } from '../../common/write-files.ts';

interface LocatedPlugin extends Pick<ReadyPlugin, 'folder' | 'isOfRepository'> {
  /** Absolute folder of the plugin; null where it is not known yet. */
  readonly files: string | null;
}

/** A plugin by its name and what the file says of it. */
interface Wanted {
  readonly name: string;
  readonly text: string;
  /** Milliseconds for one call of git. */
  readonly timeout: number;
}

/** Fetches it where it has to be, and says in the log where it comes from. Throws why it cannot be had. */
export async function locatePlugin(request: PluginRequest, wanted: Wanted): Promise<LocatedPlugin> {
  const source = readSource(wanted.text);
  if (source.kind === 'repository') return locateInRepository(request, wanted.name, source.path);
  try {
    const folder = await locateElsewhere(request, wanted, source);
    return { folder, isOfRepository: false, files: folder };
  } catch (error) {
    throw explained(error, request, wanted.name, source);
  }
}

/** The public agent takes none from outside of the checkout. */
async function locateInRepository(
  { checkout, log }: PluginRequest,
  name: string,
  path: string,
): Promise<LocatedPlugin> {
  const place = { folder: path, isOfRepository: true };
  if (checkout === undefined) return { ...place, files: null };
  const files = resolve(checkout, path);
  if (!(await exists(files)))
    throw new PluginError(
      `plugin ${name} cannot be had: there is no folder ${path} in the checkout`,
      1,
    );
  if (!`${files}/`.startsWith(`${resolve(checkout)}/`))
    await log(`Plugin ${name}: ${path} is outside of the checkout, where agents take none`);
  return { ...place, files };
}

async function locateElsewhere(
  request: PluginRequest,
  wanted: Wanted,
  source: GitSource,
): Promise<string> {
  const { env, signal, cache, from, log } = request;
  if (from !== null) return takeGiven(log, from, wanted, source);
  const fetched = await fetchPlugin({ env, signal, timeout: wanted.timeout }, cache, source);
  for (const line of linesAbout(wanted.name, source, fetched)) await log(line);
  const folder = join(fetched.folder, source.subfolder);
  if (await exists(folder)) return folder;
  throw new Error(`it has no folder ${source.subfolder}`);
}

async function takeGiven(
  log: PluginRequest['log'],
  from: string,
  { name, text }: Wanted,
  source: GitSource,
): Promise<string> {
  const folder = await givenFolder(from, text, source);
  const version = source.version === null ? '' : `; nobody checks that it is ${source.version}`;
  await log(`Plugin ${name}: taken from ${folder}${version}`);
  return folder;
}

function linesAbout(name: string, { address, version }: GitSource, fetched: Fetched): string[] {
  const origin = redactAddresses(address);
  const where = fetched.isNew ? `fetched from ${origin}` : `in the cache, from ${origin}`;
  const title = version === null ? name : `${name} ${version}`;
  const first = `Plugin ${title}: commit ${fetched.commit}, ${where}`;
  if (!mayChange(fetched)) return [first];
  const what = version === null ? 'no version is asked for' : `${version} is a branch`;
  return [first, `Plugin ${name}: ${what}, so another commit may run tomorrow`];
}

/** In one line, with the ways on. Of a job that was ended it is the reason of that. */
function explained(
  error: unknown,
  { signal, from }: PluginRequest,
  name: string,
  { address }: GitSource,
): unknown {
  if (signal.aborted) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const origin = from === null ? `${redactAddresses(address)}: ` : '';
  const remedy = from === null ? '--plugins-from DIR takes it from a folder, ' : '';
  return new PluginError(
    `plugin ${name} cannot be had: ${origin}${reason}; ${remedy}--plugins skip=${name} leaves it out`,
    error instanceof GitError ? error.exitStatus : 1,
    { cause: error },
  );
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

// Plugins from a folder of the user's, for a machine without a network (`--plugins-from`).

/** The folder of the plugin in `from`. Throws with the names that were looked for. */
async function givenFolder(from: string, text: string, source: GitSource): Promise<string> {
  const names = namesOf(text, source);
  for (const name of names) {
    const folder = resolve(from, name);
    if (await isFolder(folder)) return folder;
  }
  throw new Error(`it is not in ${from}, neither as ${names.join(' nor as ')}`);
}

/** `docker-buildkite-plugin`, then `docker`. */
function namesOf(text: string, { address, subfolder }: GitSource): string[] {
  const repository = basename(address.replace(/\/+$/, ''), '.git');
  return [...new Set([join(repository, subfolder), pluginName(text)])];
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

// A plugin from its repository into the cache, once a version.

interface Fetched {
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

const mayChange = ({ kind }: Pick<Version, 'kind'>): boolean =>
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

// What a repository has under the name of a version.

interface Version {
  /** `branch` and `default` mean something else tomorrow. */
  readonly kind: 'tag' | 'branch' | 'commit' | 'default';
  /** Full SHA; of a commit that is not the tip of anything, what was asked for. */
  readonly commit: string;
}

/** Asks the repository. Throws `GitError`, or a sentence with the newest tags where it has no such version. */
async function findVersion(
  world: GitWorld,
  cwd: string,
  address: string,
  version: string | null,
): Promise<Version> {
  const refs = readRefs(await runGit(world, cwd, ['ls-remote', '--', address]));
  if (refs.size === 0) throw new Error('it is empty');
  if (version === null) return { kind: 'default', commit: refs.get('HEAD') ?? 'HEAD' };
  const tag = refs.get(`refs/tags/${version}^{}`) ?? refs.get(`refs/tags/${version}`);
  if (tag !== undefined) return { kind: 'tag', commit: tag };
  const branch = refs.get(`refs/heads/${version}`);
  if (branch !== undefined) return { kind: 'branch', commit: branch };
  if (/^[0-9a-f]{7,64}$/i.test(version)) return { kind: 'commit', commit: version.toLowerCase() };
  throw new Error(`it has no version ${version}${examplesOf(refs)}`);
}

/** `SHA\tNAME` a line. */
const readRefs = (text: string): Map<string, string> =>
  new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      const [commit = '', name] = line.split('\t');
      return name === undefined ? [] : [[name, commit]];
    }),
  );

function examplesOf(refs: ReadonlyMap<string, string>): string {
  const tags = [...refs.keys()].flatMap((name) => /^refs\/tags\/([^^]+)$/.exec(name)?.[1] ?? []);
  tags.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return tags.length === 0 ? '' : ` (newest: ${tags.slice(0, 3).join(', ')})`;
}
