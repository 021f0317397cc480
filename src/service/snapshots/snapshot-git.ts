/** Lists files, writes commits and runs git for snapshots. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { onAbort } from '../../common/abort.ts';
import { gitEnvironment } from '../git.ts';
import type { CodeOfBuild } from './snapshots.ts';

interface Listing {
  readonly folder: string;
  /** Whether the directory is in a repository that does not ignore it. */
  readonly isInRepository: boolean;
  /** A bare repository with the ignore rules for a directory that is not in a repository. */
  readonly gitDir: string;
  readonly except: string;
  readonly signal: AbortSignal;
}

/**
 * Lists the files and links below a directory that git does not ignore, including submodules and
 * nested repositories. Paths have one character per byte, because names do not have to be UTF-8.
 */
export async function listFiles(listing: Listing): Promise<string[]> {
  const hidden = relative(await realpath(listing.folder), await realpath(listing.except));
  const all = await listRepository(listing);
  const prefix = `${Buffer.from(hidden).toString('latin1')}/`;
  return hidden.startsWith('..') ? all : all.filter((path) => !path.startsWith(prefix));
}

async function listRepository(listing: Listing): Promise<string[]> {
  const { folder, isInRepository, gitDir, signal } = listing;
  // Without an index, no file is tracked, so `--others` lists every file.
  const env = {
    GIT_INDEX_FILE: join(gitDir, 'no-index'),
    ...(!isInRepository && { GIT_DIR: gitDir, GIT_WORK_TREE: folder }),
  };
  const [present, tracked] = await Promise.all([
    list(['--others'], { cwd: folder, env, signal }),
    isInRepository ? trackedAlthoughIgnored(folder, signal) : [],
  ]);
  const files = present.filter((path) => !path.endsWith('/'));
  for (const path of present.filter((one) => one.endsWith('/'))) {
    const nested = join(folder, bytesOf(path).toString());
    const paths = await listRepository({ ...listing, folder: nested, isInRepository: true });
    files.push(...paths.map((one) => `${path}${one}`));
  }
  return [...files, ...tracked];
}

async function trackedAlthoughIgnored(folder: string, signal: AbortSignal): Promise<string[]> {
  const paths = await list(['--cached', '--ignored'], { cwd: folder, signal });
  const present = await Promise.all(paths.map((path) => isPresent(folder, path)));
  return paths.filter((_, index) => present[index]);
}

/** Returns false if the file is missing, or is in a directory that was replaced by a link. */
async function isPresent(folder: string, path: string): Promise<boolean> {
  try {
    const name = bytesOf(path).toString();
    const file = join(folder, name);
    const [found, above] = await Promise.all([lstat(file), realpath(dirname(file))]);
    const isInside = above === join(await realpath(folder), dirname(name));
    return isInside && (found.isFile() || found.isSymbolicLink());
  } catch {
    return false;
  }
}

async function list(which: readonly string[], call: GitCall): Promise<string[]> {
  // Keeps git from starting the user's programs or changing a cache.
  const settings = ['-c', 'core.fsmonitor=false', '-c', 'core.untrackedCache=false'];
  const args = [...settings, 'ls-files', '-z', '--exclude-standard', ...which];
  const printed = await runGit(args, call);
  return printed.toString('latin1').split('\0').filter(Boolean);
}

const bytesOf = (path: string): Buffer => Buffer.from(path, 'latin1');

interface CommitOrder {
  readonly build: CodeOfBuild;
  readonly tree: string;
  readonly branch: string;
  /** `sha1` or `sha256` */
  readonly format: string;
}

/**
 * Writes a commit of the tree (without parents), its branch, and the lists that git needs to fetch
 * over plain HTTP. The author is the build's author. The files are the same as those git would
 * write, but no process is started. Returns the SHA.
 */
export async function writeCommit(gitDir: string, order: CommitOrder): Promise<string> {
  const { branch, format } = order;
  const text = Buffer.from(commitText(order));
  const object = Buffer.concat([Buffer.from(`commit ${text.length}\0`), text]);
  const sha = createHash(format).update(object).digest('hex');
  const folder = join(gitDir, 'objects', sha.slice(0, 2));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, sha.slice(2)), await promisify(deflate)(object), { mode: 0o400 });
  const packs = (await readdir(join(gitDir, 'objects/pack'))).filter((name) =>
    name.endsWith('.pack'),
  );
  const lists = {
    'packed-refs': `${sha} refs/heads/${branch}\n`,
    'info/refs': `${sha}\trefs/heads/${branch}\n`,
    'objects/info/packs': `${packs.map((name) => `P ${name}\n`).join('')}\n`,
  };
  for (const [name, content] of Object.entries(lists))
    await writeFile(join(gitDir, name), content, { mode: 0o600 });
  return sha;
}

function commitText({ build, tree }: CommitOrder): string {
  const { author, createdAt, message } = build;
  const at = `${Math.floor(createdAt / 1000)} +0000`;
  const who = `${plainName(author?.name) || 'cictl'} <${plainName(author?.email)}> ${at}`;
  const lines = [`tree ${tree}`, `author ${who}`, `committer cictl <cictl@localhost> ${at}`];
  return `${lines.join('\n')}\n\n${message.replaceAll('\0', '').trimEnd()}\n`;
}

/** Removes characters that would end the name in a commit, or that git itself would remove. */
const plainName = (text = ''): string =>
  text.replace(/[<>\x00-\x1f]/g, '').replace(/^[\s.,:;"\\']+|[\s.,:;"\\']+$/g, '');

export interface GitCall {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Buffer | string;
  readonly signal?: AbortSignal;
}

/** Resolves to standard output. Throws a one-line error, or the abort reason of the signal. */
export function runGit(
  args: readonly string[],
  { cwd, env = {}, input = '', signal }: GitCall,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Starts a new session, so that Ctrl-C in a terminal does not reach git.
    const child = spawn('git', args, {
      ...{ cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] as const },
      env: { ...gitEnvironment(), GIT_TERMINAL_PROMPT: '0', ...env },
    });
    child.once('error', (cause) => reject(new Error('cannot run git', { cause })));
    const printed: Buffer[] = [];
    const complaints: Buffer[] = [];
    collect(child.stdout, printed);
    collect(child.stderr, complaints);
    // If git stops reading, its exit code shows why. `stdin` is missing if too many files are open.
    (child.stdin as typeof child.stdin | undefined)?.on('error', () => undefined).end(input);
    const release = onAbort(signal, () => child.kill('SIGKILL'));
    child.once('close', (code) => {
      release();
      if (signal?.aborted === true) reject(signal.reason as Error);
      else if (code === 0) resolve(Buffer.concat(printed));
      else
        reject(new Error(causeIn(complaints) ?? `git ${args[0] ?? ''} exited with code ${code}`));
    });
  });
}

const collect = (stream: Readable | undefined, chunks: Buffer[]): void =>
  void stream?.on('data', (bytes: Buffer) => chunks.push(bytes));

/** Returns git's first message, because later ones only report consequences. */
function causeIn(complaints: readonly Buffer[]): string | undefined {
  const lines = Buffer.concat(complaints).toString().split('\n');
  return lines.find((line) => /^(fatal|error): /.test(line))?.replace(/^\w+: /, '');
}
