/** A bare repository with one commit: a folder as it is, or what a commit has of it. */
import { link, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../make-folder.ts';
import type { SnapshotCode } from './build-code.ts';
import type { LocalCode } from './find-code.ts';
import { listFiles } from './list-files.ts';
import { runGit, type GitCall } from './run-git.ts';
import type { CodeOfBuild } from './snapshots.ts';
import { writeCommit } from './write-commit.ts';

export interface SnapshotOrder {
  readonly folder: string;
  readonly build: CodeOfBuild;
  readonly local: LocalCode;
  /** An empty folder; the snapshot is `code.git` in it. */
  readonly draft: string;
  /** Absolute folder that is never part of it. */
  readonly except: string;
  /** Repositories with the same files are made of the same bytes on disk. */
  readonly trees: KnownTrees;
  readonly signal: AbortSignal;
}

/** The newest snapshot of each pipeline: its tree, and the absolute folder with the pack of that. */
export type KnownTrees = Map<string, { readonly tree: string; readonly packs: string }>;

/** The index, the branches and the files of the user stay as they are. Throws one line. */
export async function makeSnapshot(order: SnapshotOrder): Promise<SnapshotCode> {
  const { draft, build, local, signal } = order;
  const [aside, target] = [join(draft, 'aside.git'), join(draft, 'code.git')];
  const branch = await branchOf(build, { cwd: draft, signal });
  const format = local.checkout?.format ?? 'sha1';
  await initialize(aside, format, branch);
  await initialize(target, format, branch);
  const git = (args: readonly string[], call: Partial<GitCall> = {}): Promise<string> =>
    runGit(args, {
      ...{ cwd: draft, signal, ...call },
      env: { GIT_DIR: aside, ...alternates(local), ...call.env },
    }).then((printed) => printed.toString().trim());
  const tree =
    local.tree === null ? await addFiles(order, aside, git) : await git(named(local.tree));
  const packs = join(target, 'objects/pack');
  if (!(await linkPacks(order, tree, packs))) await git(packing(packs), { input: `${tree}\n` });
  const commit = await writeCommit(target, { build, tree, branch, format });
  return { kind: 'snapshot', commit, branch, tree };
}

/** Speed counts more than size: it is fetched once or a few times. */
const packing = (packs: string): string[] => [
  ...['-c', 'pack.compression=1', 'pack-objects', '--quiet', '--revs', '--window=0'],
  join(packs, 'pack'),
];

/** Whether the pack of the same tree could be had from the snapshot before. */
async function linkPacks(
  { trees, build }: SnapshotOrder,
  tree: string,
  target: string,
): Promise<boolean> {
  const known = trees.get(build.pipelineId);
  if (known?.tree !== tree) return false;
  try {
    const names = await readdir(known.packs);
    for (const name of names) await link(join(known.packs, name), join(target, name));
    return true;
  } catch {
    // It was removed meanwhile, or the disk knows no links; what is there twice does no harm.
    return false;
  }
}

type Ask = (args: readonly string[], call?: Partial<GitCall>) => Promise<string>;

const named = (tree: string): string[] => ['rev-parse', '--verify', '--end-of-options', tree];

/** The tree of the files that are in the folder now. */
async function addFiles(
  { folder, local, except, signal }: SnapshotOrder,
  gitDir: string,
  git: Ask,
): Promise<string> {
  const isInRepository = local.checkout !== null;
  const files = await listFiles({ folder, isInRepository, gitDir, except, signal });
  const input = Buffer.from(files.map((path) => `${path}\0`).join(''), 'latin1');
  const env = { GIT_WORK_TREE: folder };
  // What goes away meanwhile is left out.
  await git(['update-index', '-z', '--add', '--remove', '--stdin'], { cwd: folder, env, input });
  return git(['write-tree']);
}

/** Objects that are there already need not be written. */
const alternates = ({ checkout }: LocalCode): Record<string, string> =>
  checkout === null ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: checkout.objects };

/** A repository that no template and no setting of the user's has a part in. */
async function initialize(gitDir: string, format: string, branch: string): Promise<void> {
  for (const folder of ['objects/pack', 'objects/info', 'refs/heads', 'info'])
    await makeFolder(join(gitDir, folder), 0o700);
  const files = {
    HEAD: `ref: refs/heads/${branch}\n`,
    config: `[core]\n${settings}${format === 'sha1' ? version0 : version1(format)}`,
    // Counts more than those of the folder: what filters (of LFS) have put there is what jobs get.
    'info/attributes': '* -filter\n',
  };
  for (const [name, text] of Object.entries(files))
    await writeFile(join(gitDir, name), text, { mode: 0o600 });
}

const settings =
  '\tbare = true\n\tautocrlf = false\n\tsafecrlf = false\n\tfilemode = true\n\tsymlinks = true\n';
const version0 = '\trepositoryformatversion = 0\n';
const version1 = (format: string): string =>
  `\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = ${format}\n`;

/** That of the build; what git takes for none is called `snapshot`. */
async function branchOf({ branch }: CodeOfBuild, call: GitCall): Promise<string> {
  // Most need not be asked about.
  if (/^\w[\w-]*(\/\w[\w-]*)*$/.test(branch)) return branch;
  return runGit(['check-ref-format', `refs/heads/${branch}`], call).then(
    () => branch,
    () => 'snapshot',
  );
}
