import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useCounterpart, type Counterpart } from './counterpart.ts';

interface Scene {
  readonly service: Counterpart;
  /** A folder inside a checkout whose first commit says `one`; its files say `two`. */
  readonly folder: string;
  readonly first: string;
}

async function scene(): Promise<Scene> {
  const top = await mkdtemp(join(tmpdir(), 'cictl-workspace-'));
  onTestFinished(() => rm(top, { recursive: true, force: true }));
  const folder = join(top, 'inner');
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', top, '-c', 'user.name=n', '-c', 'user.email=e', ...args], {
      encoding: 'utf8',
    }).trim();
  await mkdir(folder);
  await writeFile(join(folder, 'said'), 'one');
  await writeFile(join(folder, 'pipeline.yml'), "steps: [{ command: 'cat said; echo x > new' }]");
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'one');
  await writeFile(join(folder, 'said'), 'two');
  return { service: await useCounterpart(), folder, first: git('rev-parse', 'HEAD') };
}

async function logOf(
  { service, folder }: Scene,
  build: object,
  more: object = {},
): Promise<{ state: string; log: string; env: Record<string, string> }> {
  await service.admin('POST', '/runs', { folder, build, ...more });
  const path = '/v2/organizations/local/pipelines/inner/builds/1';
  const { state, jobs } = await service.settled(path);
  const job = `${path}/jobs/${jobs[0]?.id ?? ''}`;
  const { text } = await service.get(`${job}/log.txt`);
  const { json } = await service.get(`${job}/env`);
  return { state, log: text.replace(/\x1b_[^\x07]*\x07/g, ''), env: json.env };
}

test('in place, the folder is used as it is', async () => {
  const at = await scene();
  const { state, log, env } = await logOf(at, { commit: at.first, branch: 'main' });
  expect([state, log]).toEqual(['passed', 'two']);
  expect(env['BUILDKITE_BUILD_CHECKOUT_PATH']).toBe(at.folder);
  expect(await readdir(at.folder)).toContain('new');
});

test('in place, another commit is told in the first line of the log', async () => {
  const { log } = await logOf(await scene(), { commit: 'a'.repeat(40), branch: 'main' });
  expect(log).toMatch(/^cictl: this job runs in .* as it is, .* names the commit aaaa.*\ntwo$/);
});

test.each([
  ['a clean checkout', { clean_checkout: true }, {}, 'one'],
  ['a worktree', {}, { workspace: 'worktree' }, 'one'],
  ['a copy', {}, { workspace: 'copy' }, 'two'],
])('%s leaves the folder alone and nothing behind', async (_, build, more, said) => {
  const at = await scene();
  const { log, env } = await logOf(at, { commit: 'HEAD', branch: 'main', ...build }, more);
  expect(log).toBe(said);
  expect(await readdir(at.folder)).not.toContain('new');
  const workspaces = join(at.service.dataDir, 'workspaces');
  expect(env['BUILDKITE_BUILD_CHECKOUT_PATH']?.startsWith(workspaces)).toBe(true);
  expect(await readdir(workspaces)).toEqual([]);
});

test('a commit that is not there fails the job that wants it', async () => {
  const build = { commit: 'b'.repeat(40), branch: 'main', clean_checkout: true };
  const { state, log } = await logOf(await scene(), build);
  expect(state).toBe('failed');
  expect(log).toMatch(
    /^fatal: .*bbbb.*\r\n.*could not be run: the checkout could not be made: git exited with 128\n$/,
  );
});
