import { execFileSync } from 'node:child_process';

/**
 * Creates a repository whose only commit is on a branch of its remote, which any local agent can
 * clone.
 *
 * @param {string} folder the directory to create
 */
export function makeCheckout(folder) {
  const git = (...args) => execFileSync('git', args, { stdio: 'pipe' });
  const origin = `${folder}.git`;
  const author = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com'];
  git('init', '-q', '-b', 'main', folder);
  git('-C', folder, ...author, 'commit', '-q', '--allow-empty', '-m', 'all');
  git('clone', '-q', '--bare', folder, origin);
  git('-C', folder, 'remote', 'add', 'origin', origin);
  git('-C', folder, 'fetch', '-q', 'origin');
  return folder;
}
