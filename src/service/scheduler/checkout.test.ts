import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, onTestFinished, describe } from 'vitest';
import { checkoutMismatch, readHead } from './checkout.ts';

describe('checkout', () => {
  const top = mkdtempSync(join(tmpdir(), 'cictl-checkout-'));
  const folder = join(top, 'checkout');
  const bare = join(top, 'bare');
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=n', '-c', 'user.email=e', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  execFileSync('mkdir', [folder, bare]);
  git('init', '-b', 'main');
  git('commit', '--allow-empty', '-m', 'one');
  const first = git('rev-parse', 'HEAD');
  git('tag', 'v1');
  git('commit', '--allow-empty', '-m', 'two');
  const head = git('rev-parse', 'HEAD');

  afterAll(() => {
    rmSync(top, { recursive: true });
  });

  test.each([
    ['HEAD', undefined],
    [head, undefined],
    [head.slice(0, 10), undefined],
    ['main', undefined],
    [first, `which is at ${head}; the build is for commit ${first}`],
    ['v1', `which is at ${head}; the build is for commit v1`],
    ['nothing', `which is at ${head}; the build is for commit nothing`],
    ['--help', `which is at ${head}; the build is for commit --help`],
  ])('at HEAD, a build of %s', async (commit, notice) => {
    const line = await checkoutMismatch(folder, commit);
    if (notice === undefined) expect(line).toBeUndefined();
    else expect(line).toContain(notice);
  });

  test('reports a directory that is not a checkout', async () => {
    expect(await checkoutMismatch(bare, 'HEAD')).toBeUndefined();
    expect(await checkoutMismatch(bare, first)).toContain('which is not a git checkout');
  });
});

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

test('reads a branch, a detached HEAD, packed refs and a worktree as git does', () => {
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

test('without a commit or a checkout, the result is unknown', () => {
  const { top, folder } = useCheckout();
  expect(readHead(folder)).toBeUndefined();
  expect(readHead(top)).toBeUndefined();
});
