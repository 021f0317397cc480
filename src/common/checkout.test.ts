import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { git } from './git.ts';
import {
  isWithin,
  mayBeInCheckout,
  placeOf,
  repositoryName,
  withoutCredentials,
} from './checkout.ts';

function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-in-checkout-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function below(folder: string): string {
  const path = join(folder, 'a/b');
  mkdirSync(path, { recursive: true });
  return path;
}

test('a directory outside any checkout is not in one', () => {
  expect(mayBeInCheckout(below(useFolder()))).toBe(false);
});

test('finds a checkout, and each directory inside', () => {
  const folder = useFolder();
  execFileSync('git', ['init', '-q', folder]);
  expect(mayBeInCheckout(folder)).toBe(true);
  expect(mayBeInCheckout(below(folder))).toBe(true);
});

test('a worktree with a .git file and a bare repository count too', () => {
  const worktree = useFolder();
  writeFileSync(join(worktree, '.git'), 'gitdir: elsewhere\n');
  expect(mayBeInCheckout(below(worktree))).toBe(true);
  const bare = useFolder();
  execFileSync('git', ['init', '-q', '--bare', bare]);
  expect(mayBeInCheckout(bare)).toBe(true);
});

test('follows a link into a checkout, as git does', async () => {
  const folder = useFolder();
  execFileSync('git', ['init', '-q', '-b', 'linked', folder]);
  const link = join(useFolder(), 'link');
  symlinkSync(below(folder), link);
  expect(mayBeInCheckout(link)).toBe(true);
  expect(await git.branch(link)).toBe('linked');
});

test('starts no process for a directory outside any checkout', async () => {
  const folder = useFolder();
  const path = process.env['PATH'];
  onTestFinished(() => void (process.env['PATH'] = path));
  writeFileSync(join(folder, 'git'), '#!/bin/sh\necho main\n', { mode: 0o755 });
  process.env['PATH'] = folder;
  expect(await git.branch(folder)).toBeUndefined();
});

test('uses a repository named by a variable, in any directory', async () => {
  const folder = useFolder();
  execFileSync('git', ['init', '-q', '-b', 'named', folder]);
  const before = process.env['GIT_DIR'];
  onTestFinished(() => {
    if (before === undefined) delete process.env['GIT_DIR'];
    else process.env['GIT_DIR'] = before;
  });
  process.env['GIT_DIR'] = join(folder, '.git');
  expect(await git.branch(useFolder())).toBe('named');
});

test('a directory is the same through a link and in every worktree, but not in a nested checkout', () => {
  const folder = useFolder();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: join(folder, 'one') });
  mkdirSync(join(folder, 'one/docs/deep'), { recursive: true });
  git('init', '--quiet');
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  git(...identity, 'commit', '--quiet', '--allow-empty', '--message', 'first');
  git('worktree', 'add', '--quiet', '../two');
  mkdirSync(join(folder, 'two/docs'));
  symlinkSync(join(folder, 'one'), join(folder, 'link'));
  const docs = placeOf(join(folder, 'link/docs'));
  const within = (path: string) => isWithin(placeOf(join(folder, path)), docs);
  expect(['one/docs', 'one/docs/deep', 'two/docs'].map(within)).toEqual([true, true, true]);
  execFileSync('git', ['init', '--quiet'], { cwd: join(folder, 'one/docs/deep') });
  expect(['one', 'two', 'one/docs/deep', 'one/docsx', '.'].map(within)).toEqual(
    Array<boolean>(5).fill(false),
  );
});

test.each([
  'git@ci.example:acme/web.git',
  'git@ci.example:acme/web',
  'git@CI.example:/acme/web.git',
  'ci.example:acme/web.git',
  'https://ci.example/acme/web',
  'https://ci.example/acme/web.git/',
  'https://user:secret@ci.example:8443/acme/web.git',
  'https://user:p@ss@ci.example/acme/web.git',
  'https://ci.example/Acme/Web',
  'ssh://git@ci.example:2222/acme/web.git',
  'git+ssh://git@ci.example/acme/web',
  'git://ci.example/acme/web.git',
])('%s name one repository', (address) => {
  expect(repositoryName(address)).toBe('ci.example/acme/web');
});

test.each([
  ['/srv/git/Web.git', '/srv/git/Web'],
  ['file:///srv/git/web.git', '/srv/git/web'],
  ['../web', '/../web'],
  [String.raw`C:\git\web`, String.raw`/C:\git\web`],
  ['git@[::1]:acme/web', '[::1]/acme/web'],
  ['', '/'],
])('%s is %s', (address, name) => {
  expect(repositoryName(address)).toBe(name);
});

test.each([
  ['https://user:p@ss@ci.example/a@b.git', 'https://ci.example/a@b.git'],
  ['https://token@ci.example/web', 'https://ci.example/web'],
  ['ssh://git:secret@ci.example:22/web', 'ssh://git@ci.example:22/web'],
  ['ssh://git@ci.example/web', 'ssh://git@ci.example/web'],
  ['git@ci.example:acme/web.git', 'git@ci.example:acme/web.git'],
  ['/srv/git/a@b', '/srv/git/a@b'],
])('%s without credentials is %s', (url, expected) => {
  expect(withoutCredentials(url)).toBe(expected);
});
