import { existsSync, constants } from 'node:fs';
import { mkdir, readdir, rm, cp, lstat, realpath } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join, relative, sep } from 'node:path';
import { runAside } from '../../common/run-aside.ts';
import type { Build, Workspace } from '../domain/records.ts';
import type { JobCheckout, RunProgram } from '../runner-port.ts';
import { createLimit } from '../snapshots/snapshots.ts';
import { checkoutMismatch } from './checkout.ts';

export interface Prepared extends JobCheckout {
  /**
   * Initial working directory: the pipeline's directory, or an empty directory for the checkout.
   */
  readonly cwd: string;
  /** The first lines of the log. */
  readonly preamble: readonly string[];
  readonly release: () => Promise<void>;
}

export interface Wanted extends Pick<Build, 'workspace' | 'cleanCheckout' | 'commit'> {
  /** Whether the step needs no files from the repository. */
  readonly skipCheckout?: boolean;
}

/** A clean checkout always uses a worktree. */
const kindOf = ({ workspace, cleanCheckout }: Wanted): Workspace =>
  cleanCheckout ? 'worktree' : workspace;

export const checkoutPath = (
  workspaces: string,
  folder: string,
  build: Wanted,
  jobId: string,
): string => (kindOf(build) === 'inplace' ? folder : join(workspaces, jobId));

/** Prepares the working directory. `make` creates the checkout later. */
export async function prepareWorkspace(
  workspaces: string,
  folder: string,
  build: Wanted,
  jobId: string,
): Promise<Prepared> {
  const kind = kindOf(build);
  const target = join(workspaces, jobId);
  let isMade = false;
  const empty = (): Promise<string> => {
    isMade = true;
    return emptyFolder(workspaces, target);
  };
  const notice = kind === 'worktree' ? undefined : await checkoutMismatch(folder, build.commit);
  return {
    cwd: kind === 'inplace' ? folder : await empty(),
    preamble: notice === undefined ? [] : [notice],
    empty,
    source: folder,
    async make(run, signal) {
      if (kind === 'inplace') return folder;
      await empty();
      if (build.skipCheckout === true) return target;
      if (kind === 'worktree') return makeWorktree(folder, target, build, run);
      await copyFolder(folder, target, signal);
      return target;
    },
    release: async () => {
      if (isMade) await release(folder, target);
    },
  };
}

async function emptyFolder(workspaces: string, target: string): Promise<string> {
  await mkdir(workspaces, { recursive: true, mode: 0o700 });
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { mode: 0o700 });
  return target;
}

/** Returns the path inside the worktree that corresponds to `folder`. */
async function makeWorktree(
  folder: string,
  target: string,
  { commit }: Wanted,
  run: RunProgram,
): Promise<string> {
  const ask = (...args: string[]): Promise<string> => runAside('git', args, folder);
  const prefix = (await ask('rev-parse', '--show-prefix')).trim();
  await ask('cat-file', '-e', `${commit}^{commit}`).catch((cause: unknown) => {
    throw new Error(`${folder} does not have commit ${commit}`, { cause });
  });
  const git = (cwd: string, ...args: string[]): Promise<void> =>
    run('git', [...settings, ...args], cwd);
  const add = ['worktree', 'add', '-q', '--detach', '--force', '--no-checkout', target, commit];
  await inTurn(() => git(folder, ...add));
  await git(target, 'reset', '-q', '--hard');
  if (existsSync(join(target, '.gitmodules'))) {
    // This command changes the configuration that all worktrees of the repository share.
    await inTurn(() => git(target, 'submodule', '-q', 'init'));
    await git(target, 'submodule', '-q', 'update', '--init', '--recursive', '--force');
  }
  const place = join(target, prefix);
  if (!existsSync(place)) throw new Error(`commit ${commit} has no directory ${prefix}`);
  return place;
}

/** Git cannot add or remove several worktrees of the same repository at the same time. */
const inTurn = createLimit(1);

/** Disables the user's git hooks, because clones on agents do not have them either. */
const settings = ['-c', 'advice.detachedHead=false', '-c', `core.hooksPath=${devNull}`];

/** Removes the workspaces of a killed service, and their worktrees from git. */
export async function removeWorkspaces(workspaces: string): Promise<void> {
  for (const name of await readdir(workspaces).catch(() => [])) {
    const target = join(workspaces, name);
    if (!existsSync(join(target, '.git'))) continue;
    const repository = await runAside('git', ['rev-parse', '--git-common-dir'], target).catch(
      () => undefined,
    );
    if (repository !== undefined) await release(repository.trim(), target);
  }
  await rm(workspaces, { recursive: true, force: true });
}

async function release(folder: string, target: string): Promise<void> {
  // This fails if containers have left files that belong to other users.
  await rm(target, { recursive: true, force: true }).catch(() => undefined);
  const args = ['worktree', 'remove', '--force', '--force', target];
  await inTurn(() => runAside('git', args, folder)).catch(() => undefined);
}

/** Copies links as links. If `to` is inside `from`, skips the directory of all workspaces. */
async function copyFolder(from: string, to: string, signal: AbortSignal): Promise<void> {
  const skipped = relative(await realpath(from), join(await realpath(to), '..'));
  await copyAround(from, to, skipped === '' ? [] : skipped.split(sep), signal);
}

/** Node cannot copy a directory into itself. `path` is the directory to skip, relative to `from`. */
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

/** Returns false for sockets and pipes, and for files that have just been removed. */
async function hasContent(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && (found.isFile() || found.isDirectory() || found.isSymbolicLink());
}

const options = {
  recursive: true,
  filter: hasContent,
  verbatimSymlinks: true,
  // Uses copy-on-write if the file system supports it.
  mode: constants.COPYFILE_FICLONE,
} as const;
