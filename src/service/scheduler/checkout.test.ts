import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkoutMismatch } from './checkout.ts';

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
  [first, `which is at ${head}; the build names the commit ${first}`],
  ['v1', `which is at ${head}; the build names the commit v1`],
  ['nothing', `which is at ${head}; the build names the commit nothing`],
  ['--help', `which is at ${head}; the build names the commit --help`],
])('at HEAD, a build of %s', async (commit, notice) => {
  const line = await checkoutMismatch(folder, commit);
  if (notice === undefined) expect(line).toBeUndefined();
  else expect(line).toContain(notice);
});

test('a folder that is no checkout says so', async () => {
  expect(await checkoutMismatch(bare, 'HEAD')).toBeUndefined();
  expect(await checkoutMismatch(bare, first)).toContain('which is no git checkout');
});
