/** `cictl run --from-build` reproduces a remote failure locally. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, afterAll, expect, test } from 'vitest';
import { callAdmin } from '../../src/service/admin.ts';
import { cictl } from '../support/cli.ts';
import { createService, type TestService } from '../support/service.ts';
import { until } from './processes.ts';

const pipeline = `
env: { WHOLE: of the build }
steps:
  - { label: fine, key: fine, command: 'true' }
  - label: ':boom: broken'
    key: broken
    env: { ONLY: 'of $$5 and "the" step' }
    command: 'echo "$$WHOLE, $$ONLY, $$BUILDKITE_BRANCH"; test -e mended'
  - { label: also, key: also, command: 'exit 3', if: build.env("SECOND") == "yes" }
  - { label: 'of {{matrix}}', key: both, command: 'test {{matrix}} != two', matrix: [one, two], if: build.env("MATRIX") == "yes" }
  - { block: Wait, key: gate, depends_on: [] }
`;

let service: TestService;

beforeAll(async () => {
  service = await createService();
  const folder = join(service.home.cwd, 'remote');
  await mkdir(folder);
  await writeFile(join(folder, 'pipeline.yml'), pipeline);
  await callAdmin(service, 'POST', '/organizations/local/pipelines', { folder, slug: 'remote' });
});
afterAll(() => service.stop());

/** Creates a settled build of the service; returns its reference. */
async function remoteBuild(...args: readonly string[]): Promise<string> {
  const create = ['builds', 'create', '-p', 'remote', '-b', 'topic', '-c', 'HEAD', ...args];
  const { stdout, stderr } = await cictl([...create, '--json=number'], { home: service.home });
  expect(stderr).toBe('');
  const { number } = JSON.parse(stdout) as { number: number };
  const view = ['builds', 'view', `remote/${number}`, '--jq', '[.state, .blocked]|join(" ")'];
  await until(async () => /failed|true/.test((await cictl(view, { home: service.home })).stdout));
  return `remote/${number}`;
}

const runFrom = (build: string, ...args: readonly string[]) =>
  cictl(['run', '--from-build', build, ...args], { home: service.home });

test('runs the only failed job here with its command and environment', async () => {
  const build = await remoteBuild();
  const { stdout, stderr, exitCode } = await runFrom(build);
  expect(stdout, stderr).toContain('broken | of the build, of $5 and "the" step, topic\n');
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /omitted the variables of the machine that ran the job: .*BUILDKITE_AGENT_ID,/,
  );
  await writeFile(join(service.home.cwd, 'mended'), '');
  expect((await runFrom(build)).exitCode).toBe(0);
});

test('--step selects one, even a passed one, and --env overrides', async () => {
  const build = await remoteBuild();
  const { stdout } = await runFrom(build, '--step', 'broken', '-e', 'WHOLE=mine');
  expect(stdout).toContain('broken | mine, of ');
  expect((await runFrom(build, '--step', 'fine')).exitCode).toBe(0);
});

test('of several jobs with one key, uses the failed one', async () => {
  const build = await remoteBuild('-e', 'MATRIX=yes');
  const { stdout, exitCode } = await runFrom(build, '--step', 'both');
  expect(stdout).toContain('\tof two\tfailed\t');
  expect(exitCode).toBe(1);
});

test('given secrets are variables of the job', async () => {
  const file = join(service.home.cwd, 'secrets');
  await writeFile(file, 'WHOLE=hidden-value\n');
  const args = ['--step', 'broken', '--secret-file', file];
  const { stdout } = await runFrom(await remoteBuild(), ...args);
  expect(stdout).toContain('broken | [REDACTED], of $5');
});

test('lists several failed jobs and runs nothing', async () => {
  const build = await remoteBuild('-e', 'SECOND=yes');
  const { stdout, stderr, exitCode } = await runFrom(build);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain('no JOB given, and build');
  expect(stderr).toMatch(/broken \(failed\)[^]*also \(failed\)/);
});

test.each([
  [['--step', 'nowhere'], 7, 'has no job "nowhere"'],
  [['--step', 'gate'], 2, 'no command and no plugins'],
  [['--from', 'fine'], 2, '--from-build and --from cannot be used together'],
  [['pipeline.yml'], 2, '--from-build and FILE cannot be used together'],
])('rejects %j', async (args, code, why) => {
  const { stdout, stderr, exitCode } = await runFrom(await remoteBuild(), ...args);
  expect([exitCode, stdout]).toEqual([code, '']);
  expect(stderr).toContain(why);
});

test('--plan shows the step', async () => {
  const args = ['--plan', '--fields', 'key,label'];
  const { stdout } = await runFrom(await remoteBuild(), ...args);
  expect(stdout).toBe('broken\t:boom: broken\n');
});
