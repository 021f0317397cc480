import { execFile } from 'node:child_process';
import { env } from 'node:process';
import { mayBeInCheckout } from '../common/checkout.ts';

/** Standard output of a git command; undefined if the command fails or prints more than 64 MiB. */
export async function askGit(folder: string, args: readonly string[]): Promise<string | undefined> {
  if (!mayBeInCheckout(folder)) return undefined;
  const options = { cwd: folder, env: gitEnvironment(), maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile('git', args, options, (error, stdout) => resolve(error ? undefined : stdout));
  });
}

/** Git sets these variables for hooks. They would make git use the hook's repository. */
const ofHooks = new Set(['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX']);

/** Environment for git without hook variables, optional locks or translated messages. */
export const gitEnvironment = (): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !ofHooks.has(name))),
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
});

/**
 * The remote's default branch, otherwise `main`, `master` or the current branch (in this order).
 */
export async function defaultBranchOf(folder: string): Promise<string> {
  const format = '--format=%(refname) %(symref)';
  const wanted = ['refs/remotes/origin/HEAD', 'refs/heads/main', 'refs/heads/master'];
  const refs = (await askGit(folder, ['for-each-ref', format, ...wanted])) ?? '';
  const ofRemote = /^refs\/remotes\/origin\/HEAD refs\/remotes\/origin\/(\S+)/m.exec(refs);
  const usual = /^refs\/heads\/(main|master)\b/m.exec(refs);
  const name = ofRemote?.[1] ?? usual?.[1];
  if (name !== undefined) return name;
  const current = await askGit(folder, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return current?.trim() || 'main';
}
