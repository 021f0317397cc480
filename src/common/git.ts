/** Reads the git checkout around the working directory. */
import { env } from 'node:process';
import { mayBeInCheckout, readRemotes, type Remotes } from './checkout.ts';

const revParse = (cwd: string, revision: string): Promise<string | undefined> =>
  ask(cwd, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);

const remotes = (cwd: string): Promise<Remotes> => readRemotes((...args) => gitOutput(cwd, args));

export type Git = typeof git;

/** All functions resolve to undefined if git has no result; they never throw. */
export const git = {
  headCommit: (cwd: string) => revParse(cwd, 'HEAD'),
  branch: (cwd: string) => ask(cwd, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
  revParse,
  head: async (cwd: string) => {
    const text = await gitOutput(cwd, ['log', '-1', '--format=%H%x00%an%x00%ae%x00%B']);
    const [sha, name = '', email = '', message = ''] = text?.split('\0') ?? [];
    return sha === undefined
      ? undefined
      : { sha, message: message.trim(), author: { name, email } };
  },
  tag: (cwd: string) => ask(cwd, ['describe', '--tags', '--exact-match', 'HEAD']),
  /** URL of the branch's remote, otherwise of `origin` or the only remote; without credentials */
  remote: async (cwd: string) => (await remotes(cwd)).usual,
  remotes,
  /** For example, `2 uncommitted changes`, including untracked files; undefined for none. */
  uncommitted: async (cwd: string) => {
    const status = (await gitOutput(cwd, ['status', '--porcelain'])) ?? '';
    const count = status.split('\n').filter(Boolean).length;
    if (count === 0) return undefined;
    return count === 1 ? '1 uncommitted change' : `${count} uncommitted changes`;
  },
  root: (cwd: string) => ask(cwd, ['rev-parse', '--show-toplevel']),
};

async function ask(cwd: string, args: readonly string[]): Promise<string | undefined> {
  const line = (await gitOutput(cwd, args))?.split('\n')[0] ?? '';
  return line === '' ? undefined : line;
}

export async function gitOutput(cwd: string, args: readonly string[]): Promise<string | undefined> {
  if (env['GIT_DIR'] === undefined && !mayBeInCheckout(cwd)) return undefined;
  // Loaded lazily, because most commands do not need git.
  const { execFile } = await import('node:child_process');
  return new Promise((resolve) => {
    const options = { cwd, encoding: 'utf8', maxBuffer: Infinity } as const;
    execFile('git', args, options, (error, stdout) => resolve(error ? undefined : stdout));
  });
}
