/** Reads the git checkout around the working directory. */
import { env } from 'node:process';
import { mayBeInCheckout, readRemotes, type Remotes } from './checkout.ts';

/** All functions resolve to undefined if git has no result; none throws. */
export interface Git {
  readonly headCommit: (cwd: string) => Promise<string | undefined>;
  readonly branch: (cwd: string) => Promise<string | undefined>;
  readonly revParse: (cwd: string, revision: string) => Promise<string | undefined>;
  readonly head: (cwd: string) => Promise<Commit | undefined>;
  readonly tag: (cwd: string) => Promise<string | undefined>;
  /** URL of the branch's remote, otherwise of `origin` or the only remote, without credentials */
  readonly remote: (cwd: string) => Promise<string | undefined>;
  readonly remotes: (cwd: string) => Promise<Remotes>;
  readonly root: (cwd: string) => Promise<string | undefined>;
}

export interface Commit {
  readonly sha: string;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
}

export const git: Git = {
  headCommit: (cwd) => git.revParse(cwd, 'HEAD'),
  branch: (cwd) => ask(cwd, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
  revParse: (cwd, revision) =>
    ask(cwd, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]),
  head: async (cwd) => {
    const text = await gitOutput(cwd, ['log', '-1', '--format=%H%x00%an%x00%ae%x00%B']);
    const [sha, name = '', email = '', message = ''] = text?.split('\0') ?? [];
    return sha === undefined
      ? undefined
      : { sha, message: message.trim(), author: { name, email } };
  },
  tag: (cwd) => ask(cwd, ['describe', '--tags', '--exact-match', 'HEAD']),
  remote: async (cwd) => (await git.remotes(cwd)).usual,
  remotes: (cwd) => readRemotes((...args) => gitOutput(cwd, args)),
  root: (cwd) => ask(cwd, ['rev-parse', '--show-toplevel']),
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
