import { askGit } from '../git.ts';

interface DiffBase {
  readonly defaultBranch: string;
  /** Base branch of the pull request. Takes precedence over the default branch. */
  readonly pullRequestBase?: string | null | undefined;
  /** The value of `BUILDKITE_GIT_DIFF_BASE`. If set, both branches are ignored. */
  readonly revision?: string | undefined;
  /** The commit to compare with the base. Defaults to the files in the working directory. */
  readonly commit?: string | undefined;
}

export type ChangedFiles =
  | { readonly files: readonly string[]; readonly reason: null }
  /** `reason` says why the files are unknown. Messages show it in parentheses. */
  | { readonly files: null; readonly reason: string };

/**
 * Lists the files that differ from the merge base with `base`, including uncommitted changes and
 * untracked files if no commit is given. Covers the entire checkout that contains `folder`; paths
 * are relative to the top of the checkout. Never throws.
 */
export async function changedFiles(folder: string, base: DiffBase): Promise<ChangedFiles> {
  const top = (await askGit(folder, ['rev-parse', '--show-toplevel']))?.replace(/\n$/, '');
  if (top === undefined || top === '')
    return unknown(`${folder} is not a git checkout, or git is not installed`);
  const known = await firstKnown(top, revisionsOf(base));
  if (known === undefined)
    return unknown(`the checkout has no ${base.revision || `branch ${base.defaultBranch}`}`);
  const { commit } = base;
  const common = (await askGit(top, ['merge-base', known.commit, commit ?? 'HEAD']))?.trim();
  if (common === undefined) return unknown(await whyUnrelated(top, known.revision));
  const between = commit === undefined ? [common] : [common, commit];
  const args = ['diff', '--name-only', '--no-ext-diff', '-z', ...between, '--'];
  const differing = await askGit(top, args);
  const added =
    commit === undefined
      ? await askGit(top, ['ls-files', '--others', '--exclude-standard', '-z'])
      : '';
  if (differing === undefined || added === undefined)
    return unknown(`git cannot compare the checkout with ${known.revision}`);
  return { files: [...new Set([...names(differing), ...names(added)])], reason: null };
}

const unknown = (reason: string): ChangedFiles => ({ files: null, reason });

const names = (printed: string): string[] => printed.split('\0').filter((name) => name !== '');

/** Revisions to try, best first. Local branches may be outdated, so remote branches come first. */
function revisionsOf({ revision, pullRequestBase, defaultBranch }: DiffBase): string[] {
  if (revision !== undefined && revision !== '') return [revision];
  const branches = [pullRequestBase, defaultBranch].flatMap((name) => name || []);
  return [...branches.flatMap((name) => [`origin/${name}`, name]), 'origin/HEAD'];
}

async function firstKnown(top: string, revisions: readonly string[]) {
  for (const revision of revisions) {
    const named = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
    const commit = await askGit(top, named);
    if (commit !== undefined) return { revision, commit: commit.trim() };
  }
  return undefined;
}

async function whyUnrelated(top: string, revision: string): Promise<string> {
  const shallow = await askGit(top, ['rev-parse', '--is-shallow-repository']);
  return shallow?.trim() === 'true'
    ? 'the clone is shallow; run `git fetch --unshallow` to get its history'
    : `the checkout has no common history with ${revision}`;
}
