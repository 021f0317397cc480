import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  statSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runAside } from '../../common/run-aside.ts';
import { checkoutPath, prepareWorkspace, removeWorkspaces, type Wanted } from './workspace.ts';

const run = async (file: string, args: readonly string[], cwd: string): Promise<void> => {
  await runAside(file, args, cwd);
};

/** Prepares the directory and checks out like a job. */
async function checkOut(workspaces: string, folder: string, build: Wanted) {
  const { make, preamble, release } = await prepareWorkspace(workspaces, folder, build, 'job');
  return { cwd: await make(run, new AbortController().signal), preamble, release };
}

/** A directory inside a checkout, committed with `one` in `file` and changed to `two`. */
function useCheckout() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'cictl-workspace-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const folder = join(top, 'checkout', 'inner');
  mkdirSync(folder, { recursive: true });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...args], {
      ...{ cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    }).trim();
  git('init', '-q', '-b', 'main', '..');
  writeFileSync(join(folder, 'file'), 'one');
  git('add', '.');
  git('commit', '-qm', 'one');
  writeFileSync(join(folder, 'file'), 'two');
  return { folder, git, head: git('rev-parse', 'HEAD'), workspaces: join(top, 'work', 'spaces') };
}

const inPlace = { workspace: 'inplace', cleanCheckout: false, commit: 'HEAD' } as const;
const copied = { ...inPlace, workspace: 'copy' } as const;
const worktree = { ...inPlace, workspace: 'worktree' } as const;
const missing = 'f'.repeat(40);

test.each([
  ['in place', inPlace, '/folder'],
  ['a copy', copied, '/spaces/job'],
  ['a worktree', worktree, '/spaces/job'],
  ['a clean checkout', { ...inPlace, cleanCheckout: true }, '/spaces/job'],
])('%s has a directory', (_, build, expected) => {
  expect(checkoutPath('/spaces', '/folder', build, 'job')).toBe(expected);
});

test('in place uses the directory unchanged, before and after', async () => {
  const { folder, workspaces } = useCheckout();
  const prepared = await checkOut(workspaces, folder, inPlace);
  expect(prepared).toMatchObject({ cwd: folder, preamble: [] });
  await prepared.release();
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('two');
  expect(existsSync(workspaces)).toBe(false);
});

test.each([
  ['in place', inPlace],
  ['in a copy', copied],
])('with %s, the log starts with the missing commit', async (_, build) => {
  const { folder, workspaces, head } = useCheckout();
  const at = { ...build, commit: missing };
  const { preamble } = await checkOut(workspaces, folder, at);
  expect(preamble).toEqual([
    `cictl: this job runs in place in ${folder}, which is at ${head}; the build is for commit ${missing}`,
  ]);
});

test('a copy contains the directory with its links, and is removed afterwards', async () => {
  const { folder, workspaces } = useCheckout();
  mkdirSync(join(folder, 'deep'));
  writeFileSync(join(folder, 'deep', 'new'), 'new');
  symlinkSync('deep/new', join(folder, 'link'));
  const prepared = await checkOut(workspaces, folder, copied);
  const { cwd, preamble } = prepared;
  expect([cwd, preamble]).toEqual([join(workspaces, 'job'), []]);
  expect(statSync(workspaces).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe('two');
  expect(readFileSync(join(cwd, 'deep', 'new'), 'utf8')).toBe('new');
  expect(readlinkSync(join(cwd, 'link'))).toBe('deep/new');
  await prepared.release();
  await prepared.release();
  expect(readdirSync(workspaces)).toEqual([]);
  expect(readFileSync(join(folder, 'deep', 'new'), 'utf8')).toBe('new');
});

test.each([
  ['a worktree', worktree],
  ['a clean checkout', { ...inPlace, cleanCheckout: true }],
  ['a clean checkout in place of a copy', { ...copied, cleanCheckout: true }],
])('%s contains the commit, and is removed afterwards', async (_, build) => {
  const { folder, workspaces, git } = useCheckout();
  const prepared = await checkOut(workspaces, folder, build);
  const cwd = resolve(prepared.cwd);
  expect([cwd, prepared.preamble]).toEqual([join(workspaces, 'job', 'inner'), []]);
  expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe('one');
  writeFileSync(join(cwd, 'made'), 'by the job');
  await prepared.release();
  expect(readdirSync(workspaces)).toEqual([]);
  expect(git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
  expect(git('branch', '--list')).toBe('* main');
});

test('the next service removes worktrees of a killed one', async () => {
  const { folder, workspaces, git } = useCheckout();
  await checkOut(workspaces, folder, worktree);
  mkdirSync(join(workspaces, 'job.runner'));
  await removeWorkspaces(workspaces);
  expect(existsSync(workspaces)).toBe(false);
  expect(git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
});

test('creates a worktree of a branch that is checked out', async () => {
  const { folder, workspaces } = useCheckout();
  const main = { ...worktree, commit: 'main' };
  const { cwd } = await checkOut(workspaces, folder, main);
  expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe('one');
});

test('a copy inside the copied directory does not contain itself', async () => {
  const { folder } = useCheckout();
  const workspaces = join(folder, '.data', 'workspaces');
  mkdirSync(join(workspaces, 'other'), { recursive: true });
  writeFileSync(join(folder, '.data', 'kept'), '');
  const { cwd, release } = await checkOut(workspaces, folder, copied);
  expect(readdirSync(cwd).sort()).toEqual(['.data', 'file']);
  expect(readdirSync(join(cwd, '.data'))).toEqual(['kept']);
  await release();
  expect(readdirSync(workspaces)).toEqual(['other']);
});

test('a copy omits named pipes, which have no contents', async () => {
  const { folder, workspaces } = useCheckout();
  mkdirSync(join(folder, 'run'));
  for (const name of ['pipe', 'run/pipe']) execFileSync('mkfifo', [join(folder, name)]);
  const { cwd } = await checkOut(workspaces, folder, copied);
  expect(readdirSync(cwd).sort()).toEqual(['file', 'run']);
});

test('an aborted copy stops', async () => {
  const { folder, workspaces } = useCheckout();
  const { make } = await prepareWorkspace(workspaces, folder, copied, 'job');
  await expect(make(run, AbortSignal.abort(new Error('cancel')))).rejects.toThrow('cancel');
});

test('a clean checkout has its submodules', async () => {
  const { folder, workspaces, git } = useCheckout();
  const { folder: other } = useCheckout();
  const from = ['-c', 'protocol.file.allow=always', 'submodule', 'add', join(other, '..'), 'sub'];
  git(...from);
  git('commit', '-qm', 'sub');
  const environment = ['GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_0'];
  ['1', 'protocol.file.allow', 'always'].forEach((value, at) => {
    vi.stubEnv(environment[at] ?? '', value);
  });
  onTestFinished(() => void vi.unstubAllEnvs());
  const { cwd } = await checkOut(workspaces, folder, { ...inPlace, cleanCheckout: true });
  expect(readFileSync(join(cwd, 'sub', 'inner', 'file'), 'utf8')).toBe('one');
});

test('a step without checkout gets an empty directory, or the existing one', async () => {
  const { folder, workspaces } = useCheckout();
  const skipCheckout = true;
  const { cwd } = await checkOut(workspaces, folder, { ...worktree, skipCheckout });
  expect([cwd, readdirSync(cwd)]).toEqual([join(workspaces, 'job'), []]);
  expect((await checkOut(workspaces, folder, { ...inPlace, skipCheckout })).cwd).toBe(folder);
});

test('a checkout hook gets an empty directory, even if the directory is used in place', async () => {
  const { folder, workspaces } = useCheckout();
  const { empty, release } = await prepareWorkspace(workspaces, folder, inPlace, 'job');
  expect(readdirSync(await empty())).toEqual([]);
  await release();
  expect(readdirSync(workspaces)).toEqual([]);
});

test('removes a directory that git no longer knows', async () => {
  const { folder, workspaces } = useCheckout();
  const prepared = await checkOut(workspaces, folder, worktree);
  rmSync(join(folder, '..', '.git', 'worktrees'), { recursive: true });
  await prepared.release();
  expect(readdirSync(workspaces)).toEqual([]);
});

test('fails if the checkout does not have the commit', async () => {
  const { folder, workspaces } = useCheckout();
  const at = { ...worktree, commit: missing };
  const prepared = checkOut(workspaces, folder, at);
  await expect(prepared).rejects.toThrow(`${folder} does not have commit ${missing}`);
});

test('fails if git cannot be started in the directory', async () => {
  const { folder, workspaces } = useCheckout();
  const prepared = checkOut(workspaces, join(folder, 'gone'), worktree);
  await expect(prepared).rejects.toThrow('cannot run git');
});
