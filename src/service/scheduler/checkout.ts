/** The files that a build uses: the current files in the pipeline's directory, or a commit. */
import { relative, dirname, join, resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { attempt } from '../../common/attempt.ts';
import { isFullSha } from '../domain/git-commit.ts';
import type { Build, Pipeline } from '../domain/records.ts';
import { askGit } from '../git.ts';
import { readCheckout } from '../snapshots/find-code.ts';
import { pipelineFiles, type PipelineFile } from './pipeline-file.ts';

/**
 * Returns the full SHA of a build's commit, or the name as given if the checkout does not have the
 * commit. Returns undefined if git does not track the directory. `HEAD` means the latest commit of
 * the branch, or of the directory if there is no such branch.
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

/** Returns a notice for the log if the checkout is not at the build's commit. */
export async function checkoutMismatch(
  folder: string,
  commit: string,
): Promise<string | undefined> {
  // In most cases, this check saves two git processes per job.
  if (commit === 'HEAD' || commit === readHead(folder)) return undefined;
  const [head, named] = await Promise.all([
    resolveName(folder, 'HEAD'),
    resolveName(folder, `${commit}^{commit}`),
  ]);
  if (head !== undefined && head === named) return undefined;
  const state = head === undefined ? 'which is not a git checkout' : `which is at ${head}`;
  return `cictl: this job runs in place in ${folder}, ${state}; the build is for commit ${commit}`;
}

const resolveName = async (folder: string, name: string): Promise<string | undefined> =>
  (await askGit(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', name]))?.trim();

/** Reads the full SHA of HEAD without running git; undefined if only git can determine it. */
export function readHead(folder: string): string | undefined {
  const place = gitFolder(folder);
  const head = place && read(join(place, 'HEAD'));
  if (place === undefined || head === undefined) return undefined;
  const [, ref] = /^ref: (refs\/.+)$/.exec(head) ?? [];
  if (ref === undefined) return shaIn(head);
  // A worktree has its own HEAD, but its branches are stored in the repository.
  const common = resolve(place, read(join(place, 'commondir')) ?? '.');
  return shaIn(read(join(common, ref))) ?? packed(common, ref);
}

function gitFolder(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, '.git');
    if (read(join(found, 'HEAD')) !== undefined) return found;
    const [, elsewhere] = /^gitdir: (.+)$/.exec(read(found) ?? '') ?? [];
    if (elsewhere !== undefined) return resolve(at, elsewhere);
    if (at === dirname(at)) return undefined;
  }
}

const packed = (common: string, ref: string): string | undefined =>
  read(join(common, 'packed-refs'))
    ?.split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.slice(0, -ref.length - 1);

const shaIn = (text: string | undefined): string | undefined =>
  text !== undefined && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? text : undefined;

const read = (file: string): string | undefined => attempt(() => readFileSync(file, 'utf8').trim());
