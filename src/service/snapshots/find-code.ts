/** Finds the code of a build, either in a repository that agents can reach or on this machine. */
import { isAbsolute, resolve } from 'node:path';
import { askGit } from '../git.ts';
import type { RepositoryCode, CodeOfBuild } from './snapshots.ts';
import { withoutCredentials } from '../../common/checkout.ts';

type FoundCode = RepositoryCode | LocalCode;

/** The current files in the directory, or the files of a commit. */
export interface LocalCode {
  readonly kind: 'local';
  /** A git tree-ish; null for the current files. */
  readonly tree: string | null;
  readonly checkout: Checkout | null;
}

interface Checkout {
  /** Absolute path of the object directory. */
  readonly objects: string;
  /** `sha1` or `sha256` */
  readonly format: string;
  /** The directory's path in the checkout, with a trailing slash. Empty for the entire checkout. */
  readonly prefix: string;
}

/** Whether jobs get the files of the commit, without local changes. */
export const isOfCommit = ({
  workspace,
  cleanCheckout,
}: Pick<CodeOfBuild, 'workspace' | 'cleanCheckout'>): boolean =>
  workspace === 'worktree' || cleanCheckout;

/** Throws an error with a one-line message if the commit of the build cannot be found. */
export async function findCode(folder: string, build: CodeOfBuild): Promise<FoundCode> {
  const { checkout, head } = await readCheckout(folder);
  const asItIs: LocalCode = { kind: 'local', tree: null, checkout };
  if (checkout === null) return asItIs;
  const isNamed = build.commit !== 'HEAD' && build.commit !== head;
  const commit = isNamed ? await shaOf(folder, build.commit) : head;
  const mayBeChanged = !isOfCommit(build);
  if (commit === undefined) return findUnknown(folder, build, mayBeChanged ? asItIs : undefined);
  const isHead = mayBeChanged && commit === head;
  const ofCommit: LocalCode = { kind: 'local', tree: `${commit}:${checkout.prefix}`, checkout };
  const local = isHead ? asItIs : ofCommit;
  // If agents cloned the repository, jobs would run in its root instead of the subdirectory.
  if (checkout.prefix !== '') return local;
  const [isChanged, remote] = await Promise.all([
    isHead && hasChanges(folder),
    findRemote(folder, commit, build.branch),
  ]);
  return isChanged || remote === undefined ? local : codeAt(folder, remote, commit);
}

/** Returns the checkout itself if the agent can clone it and it contains the commit. */
export async function findHere(folder: string, name: string): Promise<RepositoryCode | undefined> {
  const { checkout } = await readCheckout(folder);
  const commit = checkout?.prefix === '' ? await shaOf(folder, name) : undefined;
  if (commit === undefined) return undefined;
  // The commit itself is fetched, because the build's branch may not contain it.
  return { kind: 'repository', address: folder, isPath: true, commit, refspec: commit };
}

/**
 * `checkout` is null if there is none, if it ignores the directory, or if it is bare. `head` is the
 * full SHA; undefined before the first commit. Runs a single git command if possible.
 */
export async function readCheckout(
  folder: string,
): Promise<{ checkout: Checkout | null; head: string | undefined }> {
  const about = ['--show-object-format', '--is-inside-work-tree', '--git-path', 'objects'];
  const args = ['rev-parse', ...about, '--show-prefix'];
  const lines = (await askGit(folder, [...args, 'HEAD^{commit}'])) ?? (await askGit(folder, args));
  const [format, isInside, objects, prefix, head] = lines?.split('\n') ?? [];
  const isCheckout = isInside === 'true';
  if (!isCheckout || format === undefined || objects === undefined || prefix === undefined)
    return { checkout: null, head: undefined };
  const isIgnored = prefix !== '' && (await askGit(folder, ['check-ignore', folder])) !== undefined;
  const checkout = isIgnored ? null : { objects: resolve(folder, objects), format, prefix };
  return { checkout, head: head === '' ? undefined : head };
}

const shaOf = async (folder: string, name: string): Promise<string | undefined> => {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  return (await askGit(folder, args))?.trim();
};

/** Whether there are uncommitted changes, including untracked files that are not ignored. */
const hasChanges = async (folder: string): Promise<boolean> =>
  (await askGit(folder, ['status', '--porcelain', '--ignore-submodules=none'])) !== '';

/** Handles a commit that is missing from the checkout, but may exist in the remote. */
async function findUnknown(
  folder: string,
  { commit, branch }: CodeOfBuild,
  otherwise: LocalCode | undefined,
): Promise<FoundCode> {
  const remote = commit === 'HEAD' ? undefined : await findRemote(folder, null, branch);
  if (remote !== undefined) return codeAt(folder, remote, commit);
  if (otherwise !== undefined) return otherwise;
  throw new Error(`commit ${commit} does not exist in ${folder}`);
}

function codeAt(folder: string, { address, refspec }: Remote, commit: string): RepositoryCode {
  const isPath = /^(file:|[./~])|^[^:]*$/.test(address);
  const isWhole = isAbsolute(address) || !isPath || address.startsWith('file:');
  return {
    kind: 'repository',
    ...{ address: isWhole ? address : resolve(folder, address), isPath, commit, refspec },
  };
}

interface Remote {
  /** URL or path, without a password. */
  readonly address: string;
  readonly refspec: string | null;
}

async function findRemote(
  folder: string,
  commit: string | null,
  branch: string,
): Promise<Remote | undefined> {
  const [remotes, refs] = await Promise.all([readRemotes(folder), refsWith(folder, commit)]);
  if (commit === null) return remotes[0] && { address: remotes[0].address, refspec: null };
  for (const { name, address } of remotes) {
    const start = `refs/remotes/${name}/`;
    const branches = refs
      .filter((line) => line.startsWith(start) && line.endsWith(' '))
      .map((line) => line.slice(start.length, -1));
    const [first] = branches;
    if (branches.includes(branch)) return { address, refspec: null };
    if (first !== undefined) return { address, refspec: `refs/heads/${first}` };
  }
  return undefined;
}

/** Lists remote-tracking branches that contain the commit, with the target of symbolic refs. */
async function refsWith(folder: string, commit: string | null): Promise<readonly string[]> {
  if (commit === null) return [];
  const args = ['for-each-ref', '--format=%(refname) %(symref)', '--contains', commit];
  return ((await askGit(folder, [...args, 'refs/remotes'])) ?? '').split('\n');
}

async function readRemotes(folder: string) {
  const args = ['config', '--null', '--get-regexp', String.raw`^remote\..*\.url$`];
  const entries = ((await askGit(folder, args)) ?? '').split('\0').filter(Boolean);
  const remotes = entries.flatMap((entry) => {
    const [, name, address] = /^remote\.(.*)\.url\n(.+)$/s.exec(entry) ?? [];
    return name === undefined || address === undefined
      ? []
      : [{ name, address: withoutCredentials(address) }];
  });
  return remotes.sort((a, b) => Number(b.name === 'origin') - Number(a.name === 'origin'));
}
