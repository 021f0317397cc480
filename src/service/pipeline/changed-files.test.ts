import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changedFiles } from './changed-files.ts';

const who = [
  '-c',
  'user.name=Ada',
  '-c',
  'user.email=ada@example.com',
  '-c',
  'commit.gpgsign=false',
];

function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cictl-changed-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

function write(folder: string, ...names: string[]): void {
  for (const name of names) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), `${name} ${String(names.length)}`);
  }
}

function commit(folder: string, ...names: string[]): void {
  write(folder, ...names);
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '-m', names.join(' '));
}

/** `main` with two files, and a branch from it with one more file. */
function repository(): string {
  const folder = temporary();
  git(folder, 'init', '--quiet', '--initial-branch=main');
  commit(folder, 'a', 'b');
  git(folder, 'switch', '--quiet', '--create', 'topic');
  commit(folder, 'src/über uns.ts');
  return folder;
}

const main = { defaultBranch: 'main' };

test('lists files committed, changed or added since the branch left the default branch', async () => {
  const folder = repository();
  git(folder, 'switch', '--quiet', 'main');
  commit(folder, 'later');
  git(folder, 'switch', '--quiet', 'topic');
  write(folder, 'b', 'new/one', 'log');
  writeFileSync(join(folder, '.git/info/exclude'), 'log\n');
  const { files } = await changedFiles(folder, main);
  expect(files?.toSorted()).toEqual(['b', 'new/one', 'src/über uns.ts']);
});

test('paths are relative to the top directory, in subdirectories too', async () => {
  const folder = repository();
  write(folder, 'top');
  const { files } = await changedFiles(join(folder, 'src'), main);
  expect(files?.toSorted()).toEqual(['src/über uns.ts', 'top']);
});

test("prefers the remote branch, and a pull request's base to both", async () => {
  const origin = repository();
  const folder = join(temporary(), 'clone');
  git(origin, 'branch', 'release', 'topic');
  git(origin, 'clone', '--quiet', origin, folder);
  commit(folder, 'mine');
  git(folder, 'branch', '--force', 'main', 'HEAD');
  expect((await changedFiles(folder, main)).files).toEqual(['mine', 'src/über uns.ts']);
  const pullRequest = { ...main, pullRequestBase: 'release' };
  expect((await changedFiles(folder, pullRequest)).files).toEqual(['mine']);
  expect((await changedFiles(folder, { ...pullRequest, revision: 'HEAD' })).files).toEqual([]);
});

test('finds a default branch with another name through the remote', async () => {
  const origin = repository();
  git(origin, 'branch', '--move', 'main', 'trunk');
  git(origin, 'switch', '--quiet', 'trunk');
  const folder = join(temporary(), 'clone');
  git(origin, 'clone', '--quiet', origin, folder);
  commit(folder, 'mine');
  expect((await changedFiles(folder, main)).files).toEqual(['mine']);
});

test('ignores the variables that git sets in hooks', async () => {
  const folder = repository();
  process.env['GIT_DIR'] = join(temporary(), 'nowhere');
  onTestFinished(() => {
    delete process.env['GIT_DIR'];
  });
  expect((await changedFiles(folder, main)).files).toEqual(['src/über uns.ts']);
});

test('gives a reason if git, default branch, history or common commit is missing', async () => {
  const none = temporary();
  expect(await changedFiles(none, main)).toEqual({
    files: null,
    reason: `${none} is not a git checkout, or git is not installed`,
  });
  const folder = repository();
  expect((await changedFiles(folder, { defaultBranch: 'trunk' })).reason).toBe(
    'the checkout has no branch trunk',
  );
  expect((await changedFiles(folder, { ...main, revision: 'v9' })).reason).toBe(
    'the checkout has no v9',
  );
  git(folder, 'switch', '--quiet', '--orphan', 'other');
  commit(folder, 'x');
  expect((await changedFiles(folder, main)).reason).toBe(
    'the checkout has no common history with main',
  );
});

test('names a shallow clone as the reason', async () => {
  const origin = repository();
  git(origin, 'switch', '--quiet', 'main');
  commit(origin, 'later');
  const folder = join(temporary(), 'clone');
  const options = ['--quiet', '--depth=1', '--no-single-branch', '--branch=topic'];
  git(origin, 'clone', ...options, `file://${origin}`, folder);
  expect((await changedFiles(folder, main)).reason).toMatch('the clone is shallow');
});

test('compares a commit without uncommitted changes in the checkout', async () => {
  const folder = repository();
  const topic = git(folder, 'rev-parse', 'HEAD').trim();
  commit(folder, 'later');
  write(folder, 'new');
  expect(await changedFiles(folder, { defaultBranch: 'main', commit: topic })).toEqual({
    files: ['src/über uns.ts'],
    reason: null,
  });
});
