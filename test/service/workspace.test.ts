import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ServiceOptions } from '../../src/service/service.ts';
import { useCounterpart, type Counterpart, type Reply } from './counterpart.ts';
import { longTest } from '../support/full.ts';

interface Scene {
  readonly service: Counterpart;
  /** A directory in a checkout whose first commit contains `one`; its files contain `two`. */
  readonly folder: string;
  readonly first: string;
  /** Runs git in the checkout. */
  readonly git: (...args: string[]) => string;
}

async function scene(options: Partial<ServiceOptions> = { slots: 8 }): Promise<Scene> {
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
  return { service: await useCounterpart(options), folder, first: git('rev-parse', 'HEAD'), git };
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
  const log = text.replace(/\x1b_[^\x07]*\x07/g, '').replace(/~~~ Running commands\n.*\n/, '');
  return { state, log, env: json.env };
}

test('a run without a build is rejected', async () => {
  const { service, folder } = await scene();
  await expect(service.admin('POST', '/runs', { folder })).rejects.toThrow('build');
});

test('in place, the directory is used unchanged', async () => {
  const at = await scene();
  const { state, log, env } = await logOf(at, { commit: at.first, branch: 'main' });
  expect([state, log]).toEqual(['passed', 'two']);
  expect(env['BUILDKITE_BUILD_CHECKOUT_PATH']).toBe(at.folder);
  expect(await readdir(at.folder)).toContain('new');
});

test('in place, the first line of the log reports another commit', async () => {
  const { log } = await logOf(await scene(), { commit: 'a'.repeat(40), branch: 'main' });
  expect(log).toMatch(/^cictl: this job runs in place in .*, .* is for commit aaaa.*\ntwo$/);
});

test.each([
  ['a clean checkout', { clean_checkout: true }, {}, 'one'],
  ['a worktree', {}, { workspace: 'worktree' }, 'one'],
  ['a copy', {}, { workspace: 'copy' }, 'two'],
])('%s keeps the directory unchanged and leaves nothing behind', async (_, build, more, said) => {
  const at = await scene();
  const { log, env } = await logOf(at, { commit: 'HEAD', branch: 'main', ...build }, more);
  expect(log).toBe(said);
  expect(await readdir(at.folder)).not.toContain('new');
  const workspaces = join(at.service.dataDir, 'workspaces');
  expect(env['BUILDKITE_BUILD_CHECKOUT_PATH']?.startsWith(workspaces)).toBe(true);
  expect(await readdir(workspaces)).toEqual([]);
});

test('a missing commit fails the job with one line', async () => {
  const build = { commit: 'b'.repeat(40), branch: 'main', clean_checkout: true };
  const at = await scene();
  const { state, log } = await logOf(at, build);
  expect(state).toBe('failed');
  expect(log).toContain(`cannot run the job: ${at.folder} does not have commit ${build.commit}`);
});

/** The pipeline of the directory, and the output of its newest build. */
async function added({ service, folder }: Scene) {
  await service.admin('POST', '/organizations/local/pipelines', { folder, slug: 'p' });
  const builds = '/v2/organizations/local/pipelines/p/builds';
  const finished = async ({ json }: Reply) => {
    const path = `${builds}/${json.number}`;
    const { commit, jobs } = await service.settled(path);
    const reads = jobs.map(({ id }) => service.get(`${path}/jobs/${id}/log.txt`));
    const logs = (await Promise.all(reads)).map(({ text: log }) => lastLine(log));
    return { path, commit, logs };
  };
  return { builds, finished };
}

const lastLine = (log: string): string =>
  log
    .replace(/\x1b_[^\x07]*\x07/g, '')
    .trimEnd()
    .split(/\r?\n/)
    .at(-1) ?? '';

test('any other build of a checkout gets the files and steps of its commit', async () => {
  const at = await scene();
  const { git, folder, first, service } = at;
  git('commit', '-qam', 'two');
  const second = git('rev-parse', 'HEAD');
  git('tag', 'v2');
  await writeFile(join(folder, 'said'), 'uncommitted');
  await writeFile(join(folder, 'pipeline.yml'), 'steps: [{ command: echo uncommitted }]');
  const { builds, finished } = await added(at);
  const create = async (commit: string, branch = 'main') =>
    finished(await service.post(builds, { commit, branch, message: 'm' }));

  const old = await create(first.slice(0, 9));
  expect(old).toMatchObject({ commit: first, logs: ['one'] });
  expect(await finished(await service.put(`${old.path}/rebuild`))).toMatchObject({ logs: ['one'] });
  expect(await create('HEAD')).toMatchObject({ commit: second, logs: ['two'] });
  expect(await create('v2')).toMatchObject({ commit: second, logs: ['two'] });
  git('branch', 'side', first);
  expect(await create('HEAD', 'side')).toMatchObject({ commit: first, logs: ['one'] });
  expect(await create('HEAD', 'unknown')).toMatchObject({ commit: second, logs: ['two'] });

  await service.admin('POST', '/runs', { folder, build: { commit: first, branch: 'main' } });
  const run = await service.settled('/v2/organizations/local/pipelines/p/builds/7');
  expect(run.state).toBe('passed');
  const again = await finished(await service.put(`${builds}/7/rebuild`));
  expect(again).toMatchObject({ commit: first, logs: ['one'] });
  expect(git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
});

test('an untracked directory is used in place', async () => {
  const at = await scene();
  const folder = join(at.folder, 'new');
  await mkdir(folder);
  await writeFile(join(folder, 'pipeline.yml'), 'steps: [{ command: pwd }]');
  const { builds, finished } = await added({ ...at, folder });
  const made = await at.service.post(builds, { commit: at.first, branch: 'main', message: 'm' });
  expect(await finished(made)).toMatchObject({ commit: at.first, logs: [folder] });
});

longTest('concurrent jobs each get a worktree with submodules', async () => {
  const at = await scene();
  const { git, service } = at;
  const other = await scene({ slots: 0 });
  git(
    '-c',
    'protocol.file.allow=always',
    'submodule',
    '--quiet',
    'add',
    join(other.folder, '..'),
    'sub',
  );
  await writeFile(
    join(at.folder, 'pipeline.yml'),
    "steps: [{ command: 'cat ../sub/inner/said', parallelism: 8 }]",
  );
  git('add', '.');
  git('commit', '-qm', 'sub');
  git('submodule', 'deinit', '--quiet', '--all');
  const { builds, finished } = await added(at);
  const env = {
    ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'protocol.file.allow' },
    GIT_CONFIG_VALUE_0: 'always',
  };
  const made = await service.post(builds, { commit: 'HEAD', branch: 'main', message: 'm', env });
  expect((await finished(made)).logs).toEqual(Array.from({ length: 8 }, () => 'one'));
});
