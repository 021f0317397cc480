/** Git checkouts for the tests of `run`. */
import { execa } from 'execa';
import type { Home } from '../support/home.ts';

const author = {
  GIT_AUTHOR_NAME: 'Ada Example',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Bot',
  GIT_COMMITTER_EMAIL: 'bot@example.com',
};

/** Runs git in a directory, with its own author. */
const gitIn =
  (folder: string, home: Home) =>
  async (...args: readonly string[]): Promise<string> => {
    const env = { ...home.env, ...author };
    return (await execa('git', args, { cwd: folder, env, extendEnv: false })).stdout;
  };

/** Creates a checkout on the branch `topic`, with all files of a directory in one commit. */
export async function makeCheckout(folder: string, home: Home, message = 'First') {
  const git = gitIn(folder, home);
  await git('init', '--quiet', '--initial-branch', 'topic');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', message);
  return git;
}
