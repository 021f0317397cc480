import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullCommit } from '../refs/commit.ts';
import { git } from './git.ts';

let outside: string;
let checkout: string;
let commit: string;

const inCheckout = async (...args: string[]): Promise<string> => {
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  const { stdout } = await promisify(execFile)('git', [...identity, ...args], { cwd: checkout });
  return stdout.trim();
};

beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), 'cictl-git-'));
  checkout = await mkdtemp(join(tmpdir(), 'cictl-git-'));
  await inCheckout('init', '-q', '-b', 'feature/one');
  await inCheckout('commit', '-q', '--allow-empty', '-m', 'first');
  await inCheckout('tag', 'v1');
  commit = await inCheckout('rev-parse', 'HEAD');
});

afterAll(async () => {
  for (const folder of [outside, checkout]) await rm(folder, { recursive: true });
});

test('a checkout has a commit and a branch', async () => {
  expect(await git.headCommit(checkout)).toBe(commit);
  expect(await git.branch(checkout)).toBe('feature/one');
});

test('outside a checkout, there is neither', async () => {
  expect(await git.headCommit(outside)).toBeUndefined();
  expect(await git.branch(outside)).toBeUndefined();
});

test('a detached HEAD has no branch', async () => {
  await inCheckout('checkout', '-q', '--detach');
  expect(await git.branch(checkout)).toBeUndefined();
  expect(await git.headCommit(checkout)).toBe(commit);
  await inCheckout('checkout', '-q', 'feature/one');
});

test('resolves short SHAs, tags and expressions to full SHAs', async () => {
  for (const text of [commit.slice(0, 8), 'v1', 'HEAD', 'feature/one']) {
    expect(await fullCommit(text, checkout)).toBe(commit);
  }
});

test('40 hex digits need no checkout, and become lower case for the API', async () => {
  expect(await fullCommit('Ab'.repeat(20), outside)).toBe('ab'.repeat(20));
});

test.each(['', 'nothing', '--help', '-h', 'HEAD~9'])('%j is not a commit', async (text) => {
  await expect(fullCommit(text, checkout)).rejects.toThrow('is not a commit in this checkout');
});

const both = ['https://ci.example/acme/web', 'https://ci.example/ada/web'];

test('without an origin, uses the only remote, but none of several', async () => {
  await inCheckout('remote', 'add', 'upstream', 'https://a:b@ci.example/acme/web');
  expect(await git.remote(checkout)).toBe(both[0]);
  await inCheckout('remote', 'add', 'fork', 'https://ci.example/ada/web');
  expect(await git.remote(checkout)).toBeUndefined();
  await inCheckout('config', 'branch.feature/one.remote', 'fork');
  expect(await git.remote(checkout)).toBe(both[1]);
});

test('a branch tracking a local one and relative paths have a remote', async () => {
  await inCheckout('remote', 'add', 'origin', '../web');
  await inCheckout('config', 'branch.feature/one.remote', '.');
  expect(await git.remotes(checkout)).toEqual({
    usual: join(realpathSync(checkout), '../web'),
    all: [join(realpathSync(checkout), '../web'), both[1], both[0]],
  });
});
