import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readHead } from './read-head.ts';

function useCheckout() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'cictl-head-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const folder = join(top, 'checkout');
  const inner = join(folder, 'a', 'b');
  mkdirSync(inner, { recursive: true });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=n', '-c', 'user.email=e', ...args], {
      ...{ encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    }).trim();
  git('init', '-q', '-b', 'topic/deep');
  return { top, folder, inner, git, headOf: (at: string) => git('-C', at, 'rev-parse', 'HEAD') };
}

test('a branch, a detached HEAD, packed branches and a worktree are at what git says', () => {
  const { top, folder, inner, git, headOf } = useCheckout();
  git('commit', '-q', '--allow-empty', '-m', 'one');
  const one = headOf(folder);
  git('commit', '-q', '--allow-empty', '-m', 'two');
  expect(readHead(inner)).toBe(headOf(folder));
  git('pack-refs', '--all');
  expect(readHead(folder)).toBe(headOf(folder));
  git('worktree', 'add', '-q', '-b', 'other', join(top, 'tree'), one);
  expect(readHead(join(top, 'tree'))).toBe(one);
  git('checkout', '-q', '--detach', one);
  expect(readHead(folder)).toBe(one);
});

test('without a commit, or without a checkout, it is not known', () => {
  const { top, folder } = useCheckout();
  expect(readHead(folder)).toBeUndefined();
  expect(readHead(top)).toBeUndefined();
});
