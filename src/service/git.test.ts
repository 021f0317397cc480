import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRepository } from '../../test/support/git-repository.ts';
import { defaultBranchOf } from './git.ts';

function useRepository() {
  const root = mkdtempSync(join(tmpdir(), 'cictl-branch-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return { root, ...createRepository(join(root, 'origin')) };
}

test('does not mistake a topic branch for the default branch', async () => {
  const { commit, git, folder } = useRepository();
  commit({ a: '' });
  git('checkout', '--quiet', '-b', 'topic');
  expect(await defaultBranchOf(folder)).toBe('main');
  git('branch', '--quiet', '--move', 'main', 'master');
  expect(await defaultBranchOf(folder)).toBe('master');
});

test("prefers the remote's HEAD", async () => {
  const { commit, git, root } = useRepository();
  commit({ a: '' });
  git('checkout', '--quiet', '-b', 'develop');
  git('clone', '--quiet', '.', join(root, 'clone'));
  expect(await defaultBranchOf(join(root, 'clone'))).toBe('develop');
});

test('falls back to the current branch, even in an empty repository', async () => {
  const { git, folder, root } = useRepository();
  git('symbolic-ref', 'HEAD', 'refs/heads/trunk');
  expect(await defaultBranchOf(folder)).toBe('trunk');
  expect(await defaultBranchOf(root)).toBe('main');
});
