/** The folder that a job runs in. */
import { execFile } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Build, Workspace } from '../domain/records.ts';
import { checkoutMismatch } from './checkout.ts';

const run = promisify(execFile);

export interface Prepared {
  readonly cwd: string;
  /** Lines that the log begins with. */
  readonly preamble: readonly string[];
  /** Removes what was made for the job. */
  release(): Promise<void>;
}

type Wanted = Pick<Build, 'workspace' | 'cleanCheckout' | 'commit'>;

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

/** Throws with the reason where the checkout cannot be made. */
export async function prepareWorkspace(
  workspaces: string,
  folder: string,
  build: Wanted,
  jobId: string,
): Promise<Prepared> {
  const kind = kindOf(build);
  if (kind === 'inplace') return inPlace(folder, build.commit);
  await mkdir(workspaces, { recursive: true, mode: 0o700 });
  const target = join(workspaces, jobId);
  return kind === 'copy'
    ? copy(folder, target, build.commit)
    : worktree(folder, target, build.commit);
}

async function inPlace(folder: string, commit: string): Promise<Prepared> {
  const notice = await checkoutMismatch(folder, commit);
  return {
    cwd: folder,
    preamble: notice === undefined ? [] : [notice],
    release: () => Promise.resolve(),
  };
}

async function copy(folder: string, target: string, commit: string): Promise<Prepared> {
  const { preamble } = await inPlace(folder, commit);
  const inside = relative(folder, join(target, '..'));
  // The data folder may lie in the folder that is copied.
  const filter = (path: string): boolean => relative(folder, path) !== inside;
  await cp(folder, target, { recursive: true, verbatimSymlinks: true, filter });
  return {
    cwd: target,
    preamble,
    release: () => rm(target, { recursive: true, force: true }),
  };
}

async function worktree(folder: string, target: string, commit: string): Promise<Prepared> {
  const prefix = await git(folder, 'rev-parse', '--show-prefix');
  await git(folder, 'worktree', 'add', '--detach', '--force', target, commit);
  return {
    cwd: join(target, prefix),
    preamble: [],
    release: async () => {
      await git(folder, 'worktree', 'remove', '--force', '--force', target).catch(() =>
        rm(target, { recursive: true, force: true }),
      );
    },
  };
}

async function git(folder: string, ...args: string[]): Promise<string> {
  try {
    return (await run('git', args, { cwd: folder })).stdout.trim();
  } catch (cause) {
    const stderr = (cause as { stderr?: string }).stderr?.trim() ?? '';
    throw new Error(stderr === '' ? 'git cannot be run' : (stderr.split('\n').at(-1) ?? stderr), {
      cause,
    });
  }
}
