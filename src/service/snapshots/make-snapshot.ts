/** A bare repository with one commit: a folder as it is, or what a commit has of it. */
import { join, dirname, relative } from 'node:path';
import { writeFile, link, readdir, lstat, realpath, mkdir } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { SnapshotCode, CodeOfBuild } from './snapshots.ts';
import type { LocalCode } from './find-code.ts';
import { makeFolder } from '../../common/write-files.ts';
import { onAbort } from '../../common/abort.ts';
import { gitEnvironment } from '../git.ts';

interface SnapshotOrder {
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

/** A repository that no template and no setting of the user's has a part in. */
async function initRepository(gitDir: string, format: string, branch: string): Promise<void> {
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

// The same files are on disk once: snapshots of one tree share its pack.

/** The newest snapshot of each pipeline, by its id. */
export type KnownTrees = Map<string, KnownTree>;

interface KnownTree {
  /** SHA. */
  readonly tree: string;
  /** Absolute folder with its pack. */
  readonly packs: string;
}

/** Whether the pack of the same tree could be had from the snapshot before; `target` is a folder. */
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
    // It was removed meanwhile, or the disk knows no links; what is there twice does no harm.
    return false;
  }
}

// What of a folder belongs to a snapshot: what is there, but for what git ignores.

interface Listing {
  /** Absolute folder. */
  readonly folder: string;
  /** Git finds a repository from there, in which the folder is not ignored. */
  readonly isInRepository: boolean;
  /** A bare repository, whose rules count where there is no other. */
  readonly gitDir: string;
  /** Absolute folder whose files are nobody's business. */
  readonly except: string;
  readonly signal: AbortSignal;
}

/**
 * Paths of files and links below the folder, a byte a character: names need not be UTF-8. Those in
 * submodules and other repositories within are there too, by the rules of their own.
 */
async function listFiles(listing: Listing): Promise<string[]> {
  const hidden = relative(await realpath(listing.folder), await realpath(listing.except));
  const isOutside = hidden.startsWith('..');
  const all = await listRepository(listing);
  const prefix = `${Buffer.from(hidden).toString('latin1')}/`;
  return isOutside ? all : all.filter((path) => !path.startsWith(prefix));
}

async function listRepository(listing: Listing): Promise<string[]> {
  const { folder, isInRepository, gitDir, signal } = listing;
  // With an index that is not there nothing is tracked: git lists what there is.
  const env = {
    GIT_INDEX_FILE: join(gitDir, 'no-index'),
    ...(!isInRepository && { GIT_DIR: gitDir, GIT_WORK_TREE: folder }),
  };
  const [present, tracked] = await Promise.all([
    list(['--others'], { cwd: folder, env, signal }),
    isInRepository ? trackedAlthoughIgnored({ folder, signal }) : [],
  ]);
  const files = present.filter((path) => !path.endsWith('/'));
  const nested = present.filter((path) => path.endsWith('/'));
  for (const path of nested) files.push(...(await listNested(listing, path)));
  return [...files, ...tracked];
}

async function listNested(listing: Listing, path: string): Promise<string[]> {
  const folder = join(listing.folder, bytesOf(path).toString());
  const paths = await listRepository({ ...listing, folder, isInRepository: true });
  return paths.map((one) => `${path}${one}`);
}

async function trackedAlthoughIgnored({
  folder,
  signal,
}: Pick<Listing, 'folder' | 'signal'>): Promise<string[]> {
  const paths = await list(['--cached', '--ignored'], { cwd: folder, signal });
  const present = await Promise.all(paths.map((path) => isPresent(folder, path)));
  return paths.filter((_, index) => present[index]);
}

/** A folder that is a link now has taken its files out of the repository. */
async function isPresent(folder: string, path: string): Promise<boolean> {
  try {
    const file = join(folder, bytesOf(path).toString());
    const [found, above] = await Promise.all([lstat(file), realpath(dirname(file))]);
    const isInside = above === join(await realpath(folder), dirname(bytesOf(path).toString()));
    return isInside && (found.isFile() || found.isSymbolicLink());
  } catch {
    return false;
  }
}

async function list(which: readonly string[], call: GitCall): Promise<string[]> {
  const args = [...plainSettings, 'ls-files', '-z', '--exclude-standard', ...which];
  const printed = await runGit(args, call);
  return printed.toString('latin1').split('\0').filter(Boolean);
}

/** No programs of the user's, and nothing remembered. */
const plainSettings = ['-c', 'core.fsmonitor=false', '-c', 'core.untrackedCache=false'];

const bytesOf = (path: string): Buffer => Buffer.from(path, 'latin1');

// The one commit of a snapshot, and what leads git to it; the tree is there already.

interface CommitOrder {
  readonly build: CodeOfBuild;
  readonly tree: string;
  readonly branch: string;
  /** `sha1` or `sha256`. */
  readonly format: string;
}

/**
 * Writes what git would, at the price of no process: a commit without parents, whose author is that
 * of the build, a branch, and the lists that a server of plain files needs. Resolves to the SHA.
 */
async function writeCommit(gitDir: string, order: CommitOrder): Promise<string> {
  const { branch, format } = order;
  const text = Buffer.from(commitText(order));
  const object = Buffer.concat([Buffer.from(`commit ${text.length}\0`), text]);
  const sha = createHash(format).update(object).digest('hex');
  const folder = join(gitDir, 'objects', sha.slice(0, 2));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, sha.slice(2)), await promisify(deflate)(object), { mode: 0o400 });
  const packs = await readdir(join(gitDir, 'objects/pack'));
  const lists = {
    'packed-refs': `${sha} refs/heads/${branch}\n`,
    'info/refs': `${sha}\trefs/heads/${branch}\n`,
    'objects/info/packs': `${packs.filter(isPack).map(packLine).join('')}\n`,
  };
  for (const [name, content] of Object.entries(lists))
    await writeFile(join(gitDir, name), content, { mode: 0o600 });
  return sha;
}

const isPack = (name: string): boolean => name.endsWith('.pack');
const packLine = (name: string): string => `P ${name}\n`;

function commitText({ build, tree }: CommitOrder): string {
  const { author, createdAt, message } = build;
  const at = `${Math.floor(createdAt / 1000)} +0000`;
  const who = `${plainName(author?.name) || 'cictl'} <${plainName(author?.email)}> ${at}`;
  const lines = [`tree ${tree}`, `author ${who}`, `committer cictl <cictl@localhost> ${at}`];
  return `${lines.join('\n')}\n\n${message.replaceAll('\0', '').trimEnd()}\n`;
}

/** What would end a name there, or that git cuts off. */
const plainName = (text = ''): string =>
  text.replace(/[<>\x00-\x1f]/g, '').replace(/^[\s.,:;"\\']+|[\s.,:;"\\']+$/g, '');

// Runs git on bytes: names of files may be anything.

interface GitCall {
  /** Absolute folder in which it begins. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input. */
  readonly input?: Buffer | string;
  /** Ends it at once. */
  readonly signal?: AbortSignal;
}

/** Resolves to what it prints. Throws one line, the cause as git says it, or the reason of the signal. */
function runGit(
  args: readonly string[],
  { cwd, env = {}, input = '', signal }: GitCall,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // In a session of its own: the Ctrl-C of a terminal does not reach it.
    const child = spawn('git', args, {
      ...{ cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] as const },
      env: { ...gitEnvironment(), GIT_TERMINAL_PROMPT: '0', ...env },
    });
    child.once('error', (cause) => reject(new Error('git cannot be run', { cause })));
    const printed: Buffer[] = [];
    const complaints: Buffer[] = [];
    collect(child.stdout, printed);
    collect(child.stderr, complaints);
    write(child.stdin, input);
    const release = onAbort(signal, () => child.kill('SIGKILL'));
    child.once('close', (code) => {
      release();
      if (signal?.aborted === true) reject(signal.reason as Error);
      else if (code === 0) resolve(Buffer.concat(printed));
      else reject(new Error(causeIn(complaints) ?? `git ${args[0] ?? ''} exited with ${code}`));
    });
  });
}

/** Where no descriptors are left there are not even streams. */
const collect = (stream: Readable | undefined, pieces: Buffer[]): void =>
  void stream?.on('data', (bytes: Buffer) => pieces.push(bytes));

/** It may end before it has read all; then its code says so. */
const write = (stream: Writable | undefined, input: Buffer | string): void =>
  void stream?.on('error', () => undefined).end(input);

/** What git prints first is the cause, what follows its consequences. */
function causeIn(complaints: readonly Buffer[]): string | undefined {
  const lines = Buffer.concat(complaints).toString().split('\n');
  return lines.find((line) => /^(fatal|error): /.test(line))?.replace(/^\w+: /, '');
}
