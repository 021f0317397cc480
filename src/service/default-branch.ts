import { askGit } from './git.ts';

/**
 * The default branch of the checkout around `folder`: that of its remote, else `main` or `master`
 * where it has one, else the branch that is checked out. `main` where there is no checkout.
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
