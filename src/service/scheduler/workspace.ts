/** The folder that a job runs in. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runAside } from '../../run-aside.ts';
import type { Build, Workspace } from '../domain/records.ts';
import type { JobCheckout, RunProgram } from '../runner-port.ts';
import { checkoutMismatch } from './checkout.ts';
import { copyFolder } from './copy-folder.ts';

export interface Prepared extends JobCheckout {
  /** Where the job begins: the folder as it is, or an empty one for the checkout. */
  readonly cwd: string;
  /** Lines that the log begins with. */
  readonly preamble: readonly string[];
  /** Removes what was made for the job. */
  readonly release: () => Promise<void>;
}

export interface Wanted extends Pick<Build, 'workspace' | 'cleanCheckout' | 'commit'> {
  /** The step needs no files of the repository. */
  readonly skipCheckout?: boolean;
}

/** A clean checkout is a worktree, whatever else was asked for. */
const kindOf = ({ workspace, cleanCheckout }: Wanted): Workspace =>
  cleanCheckout ? 'worktree' : workspace;

/** Where the job finds its checkout; `workspaces` is the folder for those that are made. */
export const checkoutPath = (
  workspaces: string,
  folder: string,
  build: Wanted,
  jobId: string,
): string => (kindOf(build) === 'inplace' ? folder : join(workspaces, jobId));

/** Makes what is needed before the job begins; the checkout itself comes in its own time. */
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

/** Resolves to the place in it that `folder` has in its own checkout. */
async function makeWorktree(
  folder: string,
  target: string,
  { commit }: Wanted,
  run: RunProgram,
): Promise<string> {
  const prefix = await runAside('git', ['rev-parse', '--show-prefix'], folder);
  await run(
    'git',
    [...quiet, 'worktree', 'add', '-q', '--detach', '--force', target, commit],
    folder,
  );
  const update = ['submodule', 'update', '-q', '--init', '--recursive', '--force'];
  await run('git', [...quiet, ...update], target);
  return join(target, prefix.trim());
}

/** A terminal is no reason for advice. */
const quiet = ['-c', 'advice.detachedHead=false'];

async function release(folder: string, target: string): Promise<void> {
  const args = ['worktree', 'remove', '--force', '--force', target];
  await runAside('git', args, folder).catch(() => undefined);
  // Programs in containers may have left what is not ours.
  await rm(target, { recursive: true, force: true }).catch(() => undefined);
}
