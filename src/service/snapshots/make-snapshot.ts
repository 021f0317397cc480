/** A bare repository with one commit: a folder as it is, or what a commit has of it. */
import { join } from 'node:path';
import type { SnapshotCode } from './build-code.ts';
import type { LocalCode } from './find-code.ts';
import { initRepository } from './init-repository.ts';
import { linkPacks, type KnownTrees } from './link-packs.ts';
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

/** The index, the branches and the files of the user stay as they are. Throws one line. */
export async function makeSnapshot(order: SnapshotOrder): Promise<SnapshotCode> {
  const { draft, build, local, signal } = order;
  const [aside, target] = [join(draft, 'aside.git'), join(draft, 'code.git')];
  const branch = await branchOf(build, { cwd: draft, signal });
  const format = local.checkout?.format ?? 'sha1';
  await initRepository(aside, format, branch);
  await initRepository(target, format, branch);
  const git = (args: readonly string[], call: Partial<GitCall> = {}): Promise<string> =>
    runGit(args, {
      ...{ cwd: draft, signal, ...call },
      env: { GIT_DIR: aside, ...alternates(local), ...call.env },
    }).then((printed) => printed.toString().trim());
  const tree =
    local.tree === null ? await addFiles(order, aside, git) : await git(named(local.tree));
  const packs = join(target, 'objects/pack');
  const known = order.trees.get(build.pipelineId);
  if (!(await linkPacks(known, tree, packs))) await git(packing(packs), { input: `${tree}\n` });
  const commit = await writeCommit(target, { build, tree, branch, format });
  return { kind: 'snapshot', commit, branch, tree };
}

/** Speed counts more than size: it is fetched once or a few times. */
const packing = (packs: string): string[] => [
  ...['-c', 'pack.compression=1', 'pack-objects', '--quiet', '--revs', '--window=0'],
  join(packs, 'pack'),
];

/** They are packed a moment later, and packing does it all over again. */
const uncompressed = ['-c', 'core.looseCompression=0'];

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
  await git([...uncompressed, 'update-index', '-z', '--add', '--remove', '--stdin'], {
    ...{ cwd: folder, env, input },
  });
  return git(['write-tree']);
}

/** Objects that are there already need not be written. */
const alternates = ({ checkout }: LocalCode): Record<string, string> =>
  checkout === null ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: checkout.objects };

/** That of the build; what git takes for none is called `snapshot`. */
async function branchOf({ branch }: CodeOfBuild, call: GitCall): Promise<string> {
  // Most need not be asked about.
  if (/^\w[\w-]*(\/\w[\w-]*)*$/.test(branch)) return branch;
  return runGit(['check-ref-format', `refs/heads/${branch}`], call).then(
    () => branch,
    () => 'snapshot',
  );
}
