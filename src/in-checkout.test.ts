import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { git } from './git.ts';
import { isWithin, mayBeInCheckout, placeOf } from './in-checkout.ts';

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

test('a folder of nobody is in no checkout', () => {
  expect(mayBeInCheckout(below(useFolder()))).toBe(false);
});

test('a checkout is one, and each folder in it', () => {
  const folder = useFolder();
  execFileSync('git', ['init', '-q', folder]);
  expect(mayBeInCheckout(folder)).toBe(true);
  expect(mayBeInCheckout(below(folder))).toBe(true);
});

test('so are a worktree, which has a file there, and a bare repository', () => {
  const worktree = useFolder();
  writeFileSync(join(worktree, '.git'), 'gitdir: elsewhere\n');
  expect(mayBeInCheckout(below(worktree))).toBe(true);
  const bare = useFolder();
  execFileSync('git', ['init', '-q', '--bare', bare]);
  expect(mayBeInCheckout(bare)).toBe(true);
});

test('a link into a checkout leads to it, as it leads git', async () => {
  const folder = useFolder();
  execFileSync('git', ['init', '-q', '-b', 'linked', folder]);
  const link = join(useFolder(), 'link');
  symlinkSync(below(folder), link);
  expect(mayBeInCheckout(link)).toBe(true);
  expect(await git.branch(link)).toBe('linked');
});

test('no process is started to ask about a folder of nobody', async () => {
  const folder = useFolder();
  const path = process.env['PATH'];
  onTestFinished(() => void (process.env['PATH'] = path));
  writeFileSync(join(folder, 'git'), '#!/bin/sh\necho main\n', { mode: 0o755 });
  process.env['PATH'] = folder;
  expect(await git.branch(folder)).toBeUndefined();
});

test('a repository that a variable names is asked, wherever the folder is', async () => {
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

test('a directory is the same through a link and in every worktree, and not in a nested checkout', () => {
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
