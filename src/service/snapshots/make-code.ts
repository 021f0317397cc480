/** Finds the code of a build, or makes a snapshot of it: a bare repository with one commit. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { link, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../common/write-files.ts';
import { findCode, readCheckout, type LocalCode } from './find-code.ts';
import { listFiles, runGit, writeCommit, type GitCall } from './snapshot-git.ts';
import type { BuildCode, CodeOfBuild, RepositoryCode, SnapshotCode } from './snapshots.ts';

interface CodeOrder {
  readonly build: CodeOfBuild;
  readonly folder: string;
  readonly root: string;
  /** Directory for the snapshot of this build. */
  readonly at: string;
  /** The newest snapshot of each pipeline, by pipeline ID. */
  readonly trees: Map<string, KnownTree>;
  readonly signal: AbortSignal;
}

interface KnownTree {
  readonly tree: string;
  /** Absolute path of the directory with the pack. */
  readonly packs: string;
}

export async function makeCode(order: CodeOrder): Promise<BuildCode> {
  order.signal.throwIfAborted();
  const found = await findCode(order.folder, order.build);
  const code = found.kind === 'repository' ? found : await storeSnapshot(order, found);
  return writeCode(order, 'code.json', code);
}

/** Makes a snapshot of a commit whose repository only exists on this machine. */
export async function makeElsewhere(
  order: CodeOrder,
  { commit }: RepositoryCode,
): Promise<BuildCode> {
  const { checkout } = await readCheckout(order.folder);
  const code = await storeSnapshot(order, { kind: 'local', tree: `${commit}^{tree}`, checkout });
  return writeCode(order, 'elsewhere.json', code);
}

async function storeSnapshot(order: CodeOrder, local: LocalCode): Promise<SnapshotCode> {
  const { root, at, build } = order;
  const draft = join(root, 'drafts', randomUUID());
  try {
    await makeFolder(draft, 0o700);
    const code = await makeSnapshot(order, local, draft);
    await makeFolder(at, 0o700);
    // A killed service may have left this directory before it wrote the file that refers to it.
    await rm(join(at, 'code.git'), { recursive: true, force: true });
    await rename(join(draft, 'code.git'), join(at, 'code.git'));
    const packs = join(at, 'code.git/objects/pack');
    order.trees.set(build.pipelineId, { tree: code.tree, packs });
    return code;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Writes the file atomically. Synchronous, to avoid waiting behind asynchronous log writes. */
function writeCode<T extends BuildCode>({ at }: CodeOrder, file: string, code: T): T {
  mkdirSync(at, { recursive: true, mode: 0o700 });
  const draft = join(at, `${file}.part`);
  writeFileSync(draft, `${JSON.stringify(code)}\n`, { mode: 0o600 });
  renameSync(draft, join(at, file));
  return code;
}

/** Makes `code.git` in `draft` without changing the user's index, branches or files. */
async function makeSnapshot(
  order: CodeOrder,
  local: LocalCode,
  draft: string,
): Promise<SnapshotCode> {
  const { build, signal } = order;
  const [aside, target] = [join(draft, 'aside.git'), join(draft, 'code.git')];
  const branch = await branchOf(build, { cwd: draft, signal });
  const format = local.checkout?.format ?? 'sha1';
  await initRepository(aside, format, branch);
  await initRepository(target, format, branch);
  // Reuses objects of the checkout instead of writing them again.
  const alternates = local.checkout && { GIT_ALTERNATE_OBJECT_DIRECTORIES: local.checkout.objects };
  const git: Git = async (args, call = {}) => {
    const env = { GIT_DIR: aside, ...alternates, ...call.env };
    return (await runGit(args, { cwd: draft, signal, ...call, env })).toString().trim();
  };
  const tree =
    local.tree === null
      ? await addFiles(order, local, aside, git)
      : await git(['rev-parse', '--verify', '--end-of-options', local.tree]);
  const packs = join(target, 'objects/pack');
  const known = order.trees.get(build.pipelineId);
  if (!(await linkPacks(known, tree, packs))) {
    // Compresses quickly rather than well, because the pack is only fetched a few times.
    const args = ['-c', 'pack.compression=1', 'pack-objects', '--quiet', '--revs', '--window=0'];
    await git([...args, join(packs, 'pack')], { input: `${tree}\n` });
  }
  const commit = await writeCommit(target, { build, tree, branch, format });
  return { kind: 'snapshot', commit, branch, tree };
}

type Git = (args: readonly string[], call?: Partial<GitCall>) => Promise<string>;

async function addFiles(
  { folder, root, signal }: CodeOrder,
  { checkout }: LocalCode,
  gitDir: string,
  git: Git,
): Promise<string> {
  const except = join(root, '..');
  const isInRepository = checkout !== null;
  const files = await listFiles({ folder, isInRepository, gitDir, except, signal });
  const input = Buffer.from(files.map((path) => `${path}\0`).join(''), 'latin1');
  // Uncompressed, because the objects are packed next. `--remove` allows for removed files.
  const args = ['-c', 'core.looseCompression=0', 'update-index', '-z'];
  const env = { GIT_WORK_TREE: folder };
  await git([...args, '--add', '--remove', '--stdin'], { cwd: folder, env, input });
  return git(['write-tree']);
}

/** Returns the branch of the build, or `snapshot` if its name is not valid for git. */
async function branchOf({ branch }: CodeOfBuild, call: GitCall): Promise<string> {
  // Most names can be checked without starting git.
  if (/^\w[\w-]*(\/\w[\w-]*)*$/.test(branch)) return branch;
  return runGit(['check-ref-format', `refs/heads/${branch}`], call).then(
    () => branch,
    () => 'snapshot',
  );
}

/** Makes a repository without the user's templates and settings. */
async function initRepository(gitDir: string, format: string, branch: string): Promise<void> {
  for (const folder of ['objects/pack', 'objects/info', 'refs/heads', 'info'])
    await makeFolder(join(gitDir, folder), 0o700);
  const formatSettings =
    format === 'sha1'
      ? '\trepositoryformatversion = 0\n'
      : `\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = ${format}\n`;
  const files = {
    HEAD: `ref: refs/heads/${branch}\n`,
    config: `[core]\n${settings}${formatSettings}`,
    // Disables filters such as LFS, because the files in the directory are already filtered.
    'info/attributes': '* -filter\n',
  };
  for (const [name, text] of Object.entries(files))
    await writeFile(join(gitDir, name), text, { mode: 0o600 });
}

const settings =
  '\tbare = true\n\tautocrlf = false\n\tsafecrlf = false\n\tfilemode = true\n\tsymlinks = true\n';

/** If the previous snapshot has the same files, links its pack into `target` and returns true. */
async function linkPacks(
  known: KnownTree | undefined,
  tree: string,
  target: string,
): Promise<boolean> {
  if (known?.tree !== tree) return false;
  try {
    const names = await readdir(known.packs);
    for (const name of names) await link(join(known.packs, name), join(target, name));
    return true;
  } catch {
    // The pack was removed, or hard links are unsupported. Links that already exist are harmless.
    return false;
  }
}
