import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRepository } from '../../../test/support/git-repository.ts';
import { createLimit, openSnapshots, type CodeOfBuild, type Snapshots } from './snapshots.ts';
import { longTest } from '../../../test/support/full.ts';

function useFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'cictl-snapshots-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

const build = (changes: Partial<CodeOfBuild> = {}): CodeOfBuild => ({
  id: 'b1',
  pipelineId: 'p1',
  number: 7,
  commit: 'HEAD',
  branch: 'main',
  message: 'Try this',
  author: { name: 'Ada', email: 'ada@example.com' },
  createdAt: 1_700_000_000_000,
  workspace: 'inplace',
  cleanCheckout: false,
  ...changes,
});

/** A directory with files, the snapshots of a service, and a location for checkouts. */
async function scene(files: Readonly<Record<string, string>> = {}) {
  const root = useFolder();
  const folder = join(root, 'work');
  mkdirSync(folder);
  write(folder, files);
  const snapshots = await openSnapshots(join(root, 'data'));
  const clone = (id = 'b1'): string => {
    const target = join(root, `clone-${id}`);
    git(root, 'clone', '--quiet', snapshots.repository(id), target);
    return target;
  };
  return { root, folder, snapshots, clone };
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim();

/** All files below a directory except git's own. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/^\.git(\/|$)/.test(name) && !statOf(join(folder, name)))
    .sort();
const statOf = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const codeOf = (snapshots: Snapshots, folder: string, changes?: Partial<CodeOfBuild>) =>
  snapshots.codeOf(build(changes), folder, false);

test('a directory that is not a repository follows its .gitignore', async () => {
  const { folder, snapshots, clone } = await scene({
    'a.txt': 'a\n',
    'sub/b.txt': 'b\n',
    '.gitignore': '*.log\n/out/\n',
    'x.log': 'no\n',
    'out/no': 'no\n',
    'a\nname': 'odd\n',
    ' ä#"\t': 'odd\n',
  });
  symlinkSync('a.txt', join(folder, 'link'));
  symlinkSync('nowhere', join(folder, 'dangling'));
  write(folder, { 'run.sh': 'echo\n' });
  chmodSync(join(folder, 'run.sh'), 0o755);
  mkdirSync(join(folder, 'empty'));
  const code = await codeOf(snapshots, folder);
  expect(code).toMatchObject({ kind: 'snapshot', branch: 'main' });
  const copy = clone();
  expect(filesIn(copy)).toEqual(
    [' ä#"\t', '.gitignore', 'a\nname', 'a.txt', 'dangling', 'link', 'run.sh', 'sub/b.txt'].sort(),
  );
  expect(readlinkSync(join(copy, 'dangling'))).toBe('nowhere');
  expect(statSync(join(copy, 'run.sh')).mode & 0o111).toBe(0o111);
  expect(git(copy, 'log', '--format=%H %an %s %at')).toBe(
    `${(code as { commit: string }).commit} Ada Try this 1700000000`,
  );
  expect(existsSync(join(folder, '.git'))).toBe(false);
  const check = ['fsck', '--strict', '--full'];
  expect(git(snapshots.repository('b1'), ...check)).toBe('');
  expect(git(snapshots.repository('b1'), 'rev-parse', 'HEAD')).toBe(git(copy, 'rev-parse', 'HEAD'));
});

test.each(['.', '.git'])(
  "a directory inside git's own (%s) is treated like any other",
  async (place) => {
    const { folder, snapshots, clone } = await scene();
    git(folder, 'init', '--quiet', ...(place === '.' ? ['--bare'] : []));
    await codeOf(snapshots, join(folder, place));
    expect(filesIn(clone())).toEqual(expect.arrayContaining(['HEAD', 'config']));
  },
);

test('an empty directory has a snapshot', async () => {
  const { folder, snapshots, clone } = await scene();
  await codeOf(snapshots, folder);
  expect(filesIn(clone())).toEqual([]);
});

test('a checkout with changes stays unchanged', async () => {
  const { folder, snapshots, clone } = await scene();
  const { commit } = createRepository(folder);
  write(folder, { '.gitignore': '*.log\n' });
  commit({ 'kept.txt': '1\n', 'changed.txt': '1\n', 'gone.txt': '1\n' });
  write(folder, { 'tracked.log': 'yes\n', 'no.log': 'no\n' });
  git(folder, 'add', '--force', 'tracked.log');
  write(folder, { 'changed.txt': '2\n', 'new.txt': 'new\n', 'staged.txt': 'staged\n' });
  git(folder, 'add', 'staged.txt');
  write(folder, { 'staged.txt': 'changed since\n', '.git/info/exclude': 'secret\n', secret: 'x' });
  rmSync(join(folder, 'gone.txt'));
  const before = [
    readFileSync(join(folder, '.git/index')).toString('hex'),
    git(folder, 'status', '--porcelain'),
    git(folder, 'for-each-ref'),
  ];
  await codeOf(snapshots, folder);
  expect([
    readFileSync(join(folder, '.git/index')).toString('hex'),
    git(folder, 'status', '--porcelain'),
    git(folder, 'for-each-ref'),
  ]).toEqual(before);
  const copy = clone();
  expect(filesIn(copy)).toEqual(
    ['.gitignore', 'changed.txt', 'kept.txt', 'new.txt', 'staged.txt', 'tracked.log'].sort(),
  );
  expect(readFileSync(join(copy, 'staged.txt'), 'utf8')).toBe('changed since\n');
  expect(readFileSync(join(copy, 'changed.txt'), 'utf8')).toBe('2\n');
});

test('does not run filters: jobs get the files of the directory', async () => {
  const { folder, snapshots, clone } = await scene();
  const { commit } = createRepository(folder);
  git(folder, 'config', 'filter.lfs.clean', 'false');
  git(folder, 'config', 'filter.lfs.required', 'true');
  write(folder, { '.gitattributes': '*.bin filter=lfs\n*.txt text\n' });
  git(folder, 'add', '.gitattributes');
  commit({ 'a.txt': '1\n' });
  write(folder, { 'a.bin': 'content\r\n' });
  await codeOf(snapshots, folder);
  expect(readFileSync(join(clone(), 'a.bin'), 'utf8')).toBe('content\r\n');
});

longTest('submodules and nested repositories are files in the snapshot', async () => {
  const { root, folder, snapshots, clone } = await scene();
  createRepository(join(root, 'lib')).commit({ 'lib.txt': 'lib\n' });
  const { commit } = createRepository(folder);
  commit({ 'a.txt': '1\n' });
  git(
    folder,
    '-c',
    'protocol.file.allow=always',
    'submodule',
    'add',
    '-q',
    join(root, 'lib'),
    'lib',
  );
  git(folder, 'commit', '-q', '-m', 'lib');
  write(folder, { 'lib/more.txt': 'more\n', 'lib/.gitignore': '*.o\n', 'lib/x.o': 'no\n' });
  createRepository(join(folder, 'other'));
  write(folder, { 'other/o.txt': 'o\n' });
  await codeOf(snapshots, folder);
  expect(filesIn(clone())).toEqual([
    '.gitmodules',
    'a.txt',
    'lib/.gitignore',
    'lib/lib.txt',
    'lib/more.txt',
    'other/o.txt',
  ]);
});

test('a subdirectory of a checkout is its whole snapshot', async () => {
  const { folder, snapshots, clone } = await scene();
  const sha = createRepository(folder).commit({ 'a.txt': '1\n', 'part/b.txt': 'b\n' });
  write(folder, { 'part/new.txt': 'new\n' });
  await codeOf(snapshots, join(folder, 'part'));
  expect(filesIn(clone())).toEqual(['b.txt', 'new.txt']);
  await codeOf(snapshots, join(folder, 'part'), { id: 'b2', workspace: 'worktree', commit: sha });
  expect(filesIn(clone('b2'))).toEqual(['b.txt']);
});

test('includes a directory that the surrounding repository ignores', async () => {
  const { folder, snapshots, clone } = await scene();
  createRepository(folder).commit({ '.gitignore': 'tmp\n' });
  write(folder, { 'tmp/a.txt': 'a\n' });
  await codeOf(snapshots, join(folder, 'tmp'));
  expect(filesIn(clone())).toEqual(['a.txt']);
});

test('excludes the data directory', async () => {
  const root = useFolder();
  const snapshots = await openSnapshots(join(root, 'data'));
  write(root, { 'a.txt': 'a\n', 'data/service.db': 'secret\n' });
  await codeOf(snapshots, root);
  git(root, 'clone', '--quiet', snapshots.repository('b1'), 'copy');
  expect(filesIn(join(root, 'copy'))).toEqual(['a.txt']);
});

async function withRemote() {
  const made = await scene();
  git(made.root, 'init', '--quiet', '--bare', '--initial-branch', 'main', 'origin.git');
  const repository = createRepository(made.folder);
  const pushed = repository.commit({ 'a.txt': '1\n' });
  repository.git('remote', 'add', 'origin', join(made.root, 'origin.git'));
  repository.git('push', '--quiet', 'origin', 'main');
  const setAddress = (address: string): string =>
    repository.git('remote', 'set-url', 'origin', address);
  return { ...made, ...repository, pushed, setAddress };
}

test('a commit known to the remote is fetched from there', async () => {
  const { folder, snapshots, pushed, setAddress, git: ask } = await withRemote();
  setAddress('https://user:secret@example.com/org/repo.git');
  const address = 'https://example.com/org/repo.git';
  const fromRemote = { kind: 'repository', address, isPath: false, commit: pushed };
  expect(await codeOf(snapshots, folder)).toEqual({ ...fromRemote, refspec: null });
  ask('switch', '--quiet', '--create', 'side');
  expect(await codeOf(snapshots, folder, { id: 'b2', branch: 'side' })).toEqual({
    ...fromRemote,
    refspec: 'refs/heads/main',
  });
});

test('an unpushed commit has a snapshot, a named one of itself only', async () => {
  const { folder, snapshots, commit, clone, setAddress, pushed } = await withRemote();
  setAddress('https://example.com/org/repo.git');
  commit({ 'b.txt': 'b\n' });
  expect(await codeOf(snapshots, folder)).toMatchObject({ kind: 'snapshot' });
  expect(filesIn(clone())).toEqual(['a.txt', 'b.txt']);
  const named = await codeOf(snapshots, folder, { id: 'b2', commit: pushed });
  expect(named).toMatchObject({ kind: 'repository', commit: pushed });
});

test('a changed or new file makes a snapshot, but not of a clean checkout', async () => {
  const { folder, snapshots, setAddress } = await withRemote();
  setAddress('https://example.com/org/repo.git');
  write(folder, { 'new.txt': 'new\n' });
  expect(await codeOf(snapshots, folder)).toMatchObject({ kind: 'snapshot' });
  expect(await codeOf(snapshots, folder, { id: 'b2', cleanCheckout: true })).toMatchObject({
    kind: 'repository',
  });
});

longTest(
  'an agent that cannot reach a local repository gets a snapshot of the commit',
  async () => {
    const { root, folder, snapshots, clone } = await withRemote();
    const here = await snapshots.codeOf(build(), folder, true);
    expect(here).toMatchObject({ kind: 'repository', address: join(root, 'origin.git') });
    write(folder, { 'later.txt': 'later\n' });
    expect(await codeOf(snapshots, folder)).toMatchObject({ kind: 'snapshot' });
    expect(filesIn(clone())).toEqual(['a.txt']);
  },
);

test('asks the remote for a commit that only it may know', async () => {
  const { folder, snapshots, setAddress } = await withRemote();
  setAddress('git@example.com:org/repo.git');
  const commit = '1234567890'.repeat(4);
  expect(await codeOf(snapshots, folder, { commit })).toEqual({
    ...{ kind: 'repository', address: 'git@example.com:org/repo.git', isPath: false },
    ...{ commit, refspec: null },
  });
});

test('all jobs of a build get the same snapshot, after a restart too', async () => {
  const { root, folder, snapshots, clone } = await scene({ 'a.txt': 'a\n' });
  const [first, second] = await Promise.all([codeOf(snapshots, folder), codeOf(snapshots, folder)]);
  expect(second).toBe(first);
  write(folder, { 'later.txt': 'later\n' });
  expect(statSync(join(root, 'data/snapshots/b1/code.json')).mode & 0o777).toBe(0o600);
  const again = await openSnapshots(join(root, 'data'));
  expect(await codeOf(again, folder)).toEqual(first);
  expect(filesIn(clone())).toEqual(['a.txt']);
  await again.remove('b1');
  expect(existsSync(join(root, 'data/snapshots/b1'))).toBe(false);
});

longTest('stores equal files once, as long as a build uses them', async () => {
  const { root, folder, snapshots, clone } = await scene({ 'a.txt': 'a\n' });
  const packsOf = (id: string): number[] => {
    const packs = join(root, 'data/snapshots', id, 'code.git/objects/pack');
    return readdirSync(packs).map((name) => statSync(join(packs, name)).nlink);
  };
  await codeOf(snapshots, folder);
  await codeOf(snapshots, folder, { id: 'b2', message: 'another' });
  expect(packsOf('b1')).toEqual([2, 2]);
  await snapshots.remove('b1');
  expect(packsOf('b2')).toEqual([1, 1]);
  await codeOf(snapshots, folder, { id: 'b3' });
  write(folder, { 'a.txt': 'changed\n' });
  await codeOf(snapshots, folder, { id: 'b4' });
  expect(readFileSync(join(clone('b3'), 'a.txt'), 'utf8')).toBe('a\n');
  expect(readFileSync(join(clone('b4'), 'a.txt'), 'utf8')).toBe('changed\n');
});

test('shutdown stops snapshots in progress and leaves nothing behind', async () => {
  const { root, folder, snapshots } = await scene({ 'a.txt': 'a\n' });
  // A git that writes and never exits.
  write(root, { 'bin/git': '#!/bin/sh\ntouch "$0.started"\nexec sleep 600\n' });
  chmodSync(join(root, 'bin/git'), 0o755);
  vi.stubEnv('PATH', `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const code = codeOf(snapshots, folder);
  const refusal = expect(code).rejects.toThrow('the service is stopping');
  await expect.poll(() => existsSync(join(root, 'bin/git.started'))).toBe(true);
  await snapshots.close();
  await refusal;
  expect(filesIn(join(root, 'data'))).toEqual([]);
  await expect(codeOf(snapshots, folder)).rejects.toThrow('the service is stopping');
});

test('an unreadable file is one line, and no build waits for its code forever', async () => {
  const { folder, snapshots } = await scene();
  createRepository(folder).commit({ 'a.txt': 'a\n' });
  const wanted = { commit: 'nonsense', workspace: 'worktree' } as const;
  await expect(codeOf(snapshots, folder, wanted)).rejects.toThrow(
    `commit nonsense does not exist in ${folder}`,
  );
  expect(await codeOf(snapshots, folder)).toMatchObject({ kind: 'snapshot' });
});

test('ignores a branch name that git rejects', async () => {
  const { folder, snapshots, clone } = await scene({ 'a.txt': 'a\n' });
  const author = { name: '<\n.', email: 'a b>\0' };
  const code = await codeOf(snapshots, folder, { branch: 'a b..c', author, message: 'a\0b' });
  expect(code).toMatchObject({ kind: 'snapshot', branch: 'snapshot' });
  git(snapshots.repository('b1'), 'fsck', '--strict');
  expect(filesIn(clone())).toEqual(['a.txt']);
});

test('runs a limited number at once, in order', async () => {
  const limit = createLimit(2);
  const started: number[] = [];
  const ways: (() => void)[] = [];
  const run = (number: number): Promise<number> =>
    limit(async () => {
      started.push(number);
      await new Promise<void>((resolve) => ways.push(resolve));
      if (number === 1) throw new Error('one');
      return number;
    });
  const all = Promise.allSettled([run(0), run(1), run(2), run(3)]);
  expect(started).toEqual([0, 1]);
  for (const way of [1, 0, 2, 3]) {
    await expect.poll(() => ways.length).toBeGreaterThan(way);
    ways[way]?.();
    await Promise.resolve();
  }
  expect((await all).map(({ status }) => status)).toEqual([
    ...['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  ]);
  expect(started).toEqual([0, 1, 2, 3]);
});
