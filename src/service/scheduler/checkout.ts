/** What a build runs on: a commit of the pipeline's directory, or the directory in place. */
import { relative } from 'node:path';
import { isFullSha } from '../domain/git-commit.ts';
import type { Build, Pipeline } from '../domain/records.ts';
import { askGit } from '../git.ts';
import { readCheckout } from '../snapshots/find-code.ts';
import { pipelineFiles, type PipelineFile } from './pipeline-file.ts';
import { readHead } from './read-head.ts';

/**
 * The full SHA of the commit that a build names, or the name if the checkout does not know it;
 * undefined if git does not track the directory. `HEAD` is the newest commit of the branch, or of
 * the directory if it has no such branch.
 */
export async function findCommit(
  folder: string,
  { commit, branch }: Pick<Build, 'commit' | 'branch'>,
): Promise<string | undefined> {
  const { checkout, head } = await readCheckout(folder);
  if (checkout === null || head === undefined) return undefined;
  const isWhole = checkout.prefix === '';
  if (!isWhole && (await resolveName(folder, 'HEAD:./')) === undefined) return undefined;
  if (isFullSha(commit)) return commit;
  const places = commit === 'HEAD' ? ['refs/heads/', 'refs/remotes/origin/', 'refs/tags/'] : [];
  for (const name of [...places.map((place) => place + branch), commit]) {
    const found = await resolveName(folder, `${name}^{commit}`);
    if (found !== undefined) return found;
  }
  return commit;
}

/** The pipeline file as the commit has it; undefined if the commit has none, or has a link there. */
export async function readCommittedFile(
  { folder, file }: Pick<Pipeline, 'folder' | 'file'>,
  commit: string,
): Promise<PipelineFile | undefined> {
  const paths = file === null ? pipelineFiles : [relative(folder, file)];
  const listed = (await askGit(folder, ['ls-tree', '-z', commit, '--', ...paths])) ?? '';
  const entries = listed.split('\0').map((entry) => /^100\d+ blob (\S+)\t(.+)$/s.exec(entry));
  for (const path of paths) {
    const [, id] = entries.find((entry) => entry?.[2] === path) ?? [];
    const text = id && (await askGit(folder, ['cat-file', 'blob', id]));
    if (text !== undefined) return { path, text };
  }
  return undefined;
}

/**
 * The line that a log begins with where the folder is not at the commit that the build names;
 * undefined where it is, or where `HEAD` was asked for.
 */
export async function checkoutMismatch(
  folder: string,
  commit: string,
): Promise<string | undefined> {
  // Each job asks, and git would be two processes a job.
  if (commit === 'HEAD' || commit === readHead(folder)) return undefined;
  const [head, named] = await Promise.all([
    resolveName(folder, 'HEAD'),
    resolveName(folder, `${commit}^{commit}`),
  ]);
  if (head !== undefined && head === named) return undefined;
  const state = head === undefined ? 'which is no git checkout' : `which is at ${head}`;
  return `cictl: this job runs in ${folder} as it is, ${state}; the build names the commit ${commit}`;
}

/** The full SHA that a name stands for, undefined where it stands for none. */
const resolveName = async (folder: string, name: string): Promise<string | undefined> =>
  (await askGit(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', name]))?.trim();
