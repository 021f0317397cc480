/** Finds the files of a plugin: in the repository, in the cache, or in a given directory. */
import { createHash, randomUUID } from 'node:crypto';
import { access, rename, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { makeFolder } from '../../common/write-files.ts';
import {
  PluginError,
  pluginName,
  readSource,
  type GitSource,
  type PluginRequest,
  type ReadyPlugin,
} from './plugin.ts';
import { GitError, redactAddresses, runGit, type GitWorld } from './run-git.ts';

interface LocatedPlugin extends Pick<ReadyPlugin, 'folder' | 'isOfRepository'> {
  /** Absolute path; null before the checkout. */
  readonly files: string | null;
}

interface Wanted {
  readonly name: string;
  readonly text: string;
  /** Milliseconds per git command. */
  readonly timeout: number;
}

/** Fetches the plugin if necessary, and logs its origin. Throws the reason if it is unavailable. */
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

async function locateInRepository(
  { checkout, log }: PluginRequest,
  name: string,
  path: string,
): Promise<LocatedPlugin> {
  const place = { folder: path, isOfRepository: true };
  if (checkout === undefined) return { ...place, files: null };
  const files = resolve(checkout, path);
  if (!(await exists(files)))
    throw new PluginError(`cannot find plugin ${name}: the checkout has no directory ${path}`, 1);
  if (!`${files}/`.startsWith(`${resolve(checkout)}/`))
    await log(`Plugin ${name}: ${path} is outside the checkout, which agents do not allow`);
  return { ...place, files };
}

async function locateElsewhere(
  { env, signal, cache, from, log }: PluginRequest,
  { name, text, timeout }: Wanted,
  source: GitSource,
): Promise<string> {
  const { address, subfolder, version } = source;
  if (from !== null) {
    const given = await givenFolder(from, text, source);
    const unchecked = version === null ? '' : `; version ${version} was not checked`;
    await log(`Plugin ${name}: using ${given}${unchecked}`);
    return given;
  }
  const fetched = await fetchPlugin({ env, signal, timeout }, cache, source);
  const origin = redactAddresses(address);
  const where = fetched.isNew ? `fetched from ${origin}` : `cached copy of ${origin}`;
  const title = version === null ? name : `${name} ${version}`;
  await log(`Plugin ${title}: commit ${fetched.commit}, ${where}`);
  if (mayChange(fetched)) {
    const what = version === null ? 'no version is specified' : `${version} is a branch`;
    await log(`Plugin ${name}: ${what}, so a different commit may run next time`);
  }
  const folder = join(fetched.folder, subfolder);
  if (await exists(folder)) return folder;
  throw new Error(`no directory ${subfolder} in the repository`);
}

function explained(
  error: unknown,
  { signal, from }: PluginRequest,
  name: string,
  { address }: GitSource,
): unknown {
  if (signal.aborted) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const origin = from === null ? `${redactAddresses(address)}: ` : '';
  const remedy = from === null ? 'to use a local copy, add --plugins-from DIR; ' : '';
  return new PluginError(
    `cannot fetch plugin ${name}: ${origin}${reason}; ${remedy}to run without it, use --plugins skip=${name}`,
    error instanceof GitError ? error.exitStatus : 1,
    { cause: error },
  );
}

const exists = (path: string): Promise<boolean> => isTrue(access(path).then(() => true));

const isTrue = (promise: Promise<boolean>): Promise<boolean> => promise.catch(() => false);

/** Finds the plugin `docker` in `--plugins-from`, as `docker-buildkite-plugin` or `docker`. */
async function givenFolder(
  from: string,
  text: string,
  { address, subfolder }: GitSource,
): Promise<string> {
  const repository = basename(address.replace(/\/+$/, ''), '.git');
  const names = [...new Set([join(repository, subfolder), pluginName(text)])];
  for (const name of names) {
    const folder = resolve(from, name);
    if (await isTrue(stat(folder).then((found) => found.isDirectory()))) return folder;
  }
  throw new Error(`not found in ${from} (looked for ${names.join(' and ')})`);
}

interface Fetched {
  readonly folder: string;
  readonly commit: string;
  readonly kind: Version['kind'];
  readonly isNew: boolean;
}

/** Fetches tags and commits once, and branches after each change. Replaces corrupt checkouts. */
export async function fetchPlugin(
  world: GitWorld,
  cache: string,
  { address, version }: GitSource,
): Promise<Fetched> {
  await makeFolder(cache, 0o700);
  const fixed = join(cache, folderName(address, version));
  const kept = await wholeCommit(world, fixed);
  // This directory only exists for tags and commits. For branches, its name includes the commit.
  if (kept !== null) {
    const kind = commitForm.test(version ?? '') ? 'commit' : 'tag';
    return { folder: fixed, kind, isNew: false, commit: kept };
  }
  const found = await findVersion(world, cache, address, version);
  const { kind } = found;
  const folder = mayChange(found) ? `${fixed}@${found.commit.slice(0, 12)}` : fixed;
  const known = mayChange(found) ? await wholeCommit(world, folder) : null;
  if (known !== null) return { folder, kind, isNew: false, commit: known };
  const commit = await clone(world, cache, address, found, folder);
  return { folder, kind, isNew: true, commit };
}

const commitForm = /^[0-9a-f]{7,64}$/i;

const mayChange = ({ kind }: Pick<Version, 'kind'>): boolean =>
  kind === 'branch' || kind === 'default';

function folderName(address: string, version: string | null): string {
  const readable = `${address.replace(/^[a-z+]+:\/\/([^/@]*@)?/i, '')}-${version ?? ''}`;
  const hash = createHash('sha256')
    .update(`${address}#${version ?? ''}`)
    .digest('hex');
  return `${readable.replace(/[^A-Za-z0-9.]+/g, '-').slice(-80)}-${hash.slice(0, 12)}`;
}

/** Clones into a draft and renames it, because two jobs may clone at the same time. */
async function clone(
  world: GitWorld,
  cache: string,
  address: string,
  found: Version,
  folder: string,
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

/** A clone only contains commits on branches and tags. Other commits are fetched by full SHA. */
async function needCommit(world: GitWorld, draft: string, commit: string): Promise<void> {
  const hasCommit = () =>
    works(runGit(world, draft, ['rev-parse', '--verify', `${commit}^{commit}`]));
  if (await hasCommit()) return;
  await works(runGit(world, draft, ['fetch', '--quiet', 'origin', commit]));
  if (!(await hasCommit())) throw new Error(`the repository has no commit ${commit}`);
}

/** Renames the draft. Keeps a checkout that another job has just made, unless it is corrupt. */
async function putInPlace(world: GitWorld, draft: string, folder: string): Promise<void> {
  for (let left = 10; ; left--) {
    try {
      await rename(draft, folder);
      return;
    } catch (error) {
      if ((await wholeCommit(world, folder)) !== null) return;
      if (left === 0) throw error;
    }
    // Renamed first, because another job may create its checkout here during the removal.
    const aside = `${draft}-damaged-${left}`;
    await rename(folder, aside).catch(() => undefined);
    await rm(aside, { recursive: true, force: true });
  }
}

/** Returns the commit of a checkout, or null if the checkout is missing or incomplete. */
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

interface Version {
  /** A `branch` and the `default` branch may point to a different commit later. */
  readonly kind: 'tag' | 'branch' | 'commit' | 'default';
  /** Full SHA, or the version as requested if no ref points to it. */
  readonly commit: string;
}

/** Throws `GitError`, or an error with the newest tags if there is no such version. */
async function findVersion(
  world: GitWorld,
  cwd: string,
  address: string,
  version: string | null,
): Promise<Version> {
  const lines = (await runGit(world, cwd, ['ls-remote', '--', address])).split('\n');
  const refs = new Map(
    lines.flatMap((line): [string, string][] => {
      const [commit = '', name] = line.split('\t');
      return name === undefined ? [] : [[name, commit]];
    }),
  );
  if (refs.size === 0) throw new Error('the repository is empty');
  if (version === null) return { kind: 'default', commit: refs.get('HEAD') ?? 'HEAD' };
  const tag = refs.get(`refs/tags/${version}^{}`) ?? refs.get(`refs/tags/${version}`);
  if (tag !== undefined) return { kind: 'tag', commit: tag };
  const branch = refs.get(`refs/heads/${version}`);
  if (branch !== undefined) return { kind: 'branch', commit: branch };
  if (commitForm.test(version)) return { kind: 'commit', commit: version.toLowerCase() };
  const tags = [...refs.keys()].flatMap((name) => /^refs\/tags\/([^^]+)$/.exec(name)?.[1] ?? []);
  tags.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const examples = tags.length === 0 ? '' : ` (newest: ${tags.slice(0, 3).join(', ')})`;
  throw new Error(`the repository has no version ${version}${examples}`);
}
