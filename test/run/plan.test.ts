/** `cictl run --plan`: prints what would run, notices and errors. */
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { makeCheckout } from './checkout.ts';
import { pipelineIn } from './pipelines.ts';

async function plan(yaml: string, ...args: string[]) {
  const home = await useHome();
  await pipelineIn(home, 'demo', yaml);
  return cictl(['run', 'demo', '--plan', ...args], { home });
}

const yaml = `
agents: {queue: linux}
steps:
  - {command: make, key: build, label: Build}
  - group: Tests
    depends_on: build
    steps:
      - {command: test, parallelism: 2}
      - {command: lint, matrix: [a, b], skip: later}
  - wait
  - {trigger: deploy}
`;

test('shows jobs with dependencies, and notices next to them', async () => {
  const { stdout, stderr, exitCode } = await plan(yaml);
  expect(exitCode).toBe(0);
  expect(stdout.split('\n').map((line) => line.split('\t'))).toEqual([
    ['4', 'command', 'build', 'Build', 'make', '', '', '', ''],
    ['8', 'command', '', '', 'test', 'build', 'Tests', '1/2', ''],
    ['8', 'command', '', '', 'test', 'build', 'Tests', '2/2', ''],
    ['9', 'command', '', '', 'lint', 'build', 'Tests', 'a', 'later'],
    ['9', 'command', '', '', 'lint', 'build', 'Tests', 'b', 'later'],
    ['10', 'wait', '', '', '', 'build,command on line 8,command on line 9', '', '', ''],
    ['11', 'trigger', '', '', 'deploy', 'wait on line 10', '', '', ''],
    [''],
  ]);
  expect(stderr).toBe(
    'demo/pipeline.yml:2:1: `agents` is shown but has no effect: every job runs on this machine\n',
  );
});

test('a missing secret is a notice', async () => {
  const file = 'steps: [{ command: a, secrets: [GIVEN, MISSING] }, { trigger: deploy }]';
  const { stderr, exitCode } = await plan(file);
  expect(exitCode).toBe(0);
  expect(stderr.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^The step on line 1 needs the secret GIVEN, which was not provided/),
    expect.stringMatching(/^The step on line 1 needs the secret MISSING, which was not provided/),
  ]);
});

test('--json prints an array of jobs', async () => {
  const { stdout } = await plan(yaml, '--json');
  const jobs = JSON.parse(stdout) as object[];
  expect(jobs).toHaveLength(7);
  expect(jobs[1]).toMatchObject({
    command: 'test',
    group: { key: null, label: 'Tests' },
    parallel: { index: 0, total: 2 },
    depends_on: [{ key: 'build', implicit: false }],
  });
  expect(jobs[6]).toMatchObject({ type: 'trigger', pipeline: 'deploy', command: null });
});

const ofFolder =
  'steps: [{command: x, env: {SETTINGS: "$BUILDKITE_BUILD_CHECKOUT_PATH/settings"}}]';

test('outside commands, the directory of in-place jobs is known', async () => {
  const { stdout, stderr } = await plan(ofFolder, '--json');
  const [job] = JSON.parse(stdout) as { env: Record<string, string> }[];
  expect(job?.env['SETTINGS']).toMatch(/^\/.*\/demo\/settings$/);
  expect(stderr).toBe('');
});

test('the directory of a worktree is not known when the file is read', async () => {
  const home = await useHome();
  await makeCheckout(await pipelineIn(home, 'demo', ofFolder), home);
  const { stderr } = await cictl(['run', 'demo', '--plan', '--workspace', 'worktree'], { home });
  expect(stderr).toContain('`BUILDKITE_BUILD_CHECKOUT_PATH` is not set when the file is read');
});

test("evaluates if_changed against the checkout's default branch, as the run does", async () => {
  const home = await useHome();
  const own = '{command: x, if_changed: src/**}';
  await makeCheckout(await pipelineIn(home, 'demo', `steps: [${own}]`), home);
  const { stdout, stderr } = await cictl(['run', 'demo', '--plan'], { home });
  expect([stdout, stderr]).toEqual([expect.stringContaining('if_changed: src/**'), '']);
});

test("the remote's URL is known, as in a plugin that tests itself", async () => {
  const home = await useHome();
  const own = '{command: x, plugins: {"$BUILDKITE_REPO#v1": {a: b}}}';
  const git = await makeCheckout(await pipelineIn(home, 'demo', `steps: [${own}]`), home);
  await git('remote', 'add', 'origin', 'https://example.com/org/own-buildkite-plugin.git');
  const { stdout } = await cictl(['run', 'demo', '--plan', '--json'], { home });
  const [job] = JSON.parse(stdout) as { plugins: unknown }[];
  expect(JSON.stringify(job?.plugins)).toContain(
    '"https://example.com/org/own-buildkite-plugin.git#v1"',
  );
});

test('--graph prints a flowchart and runs nothing', async () => {
  const home = await useHome();
  await pipelineIn(home, 'demo', yaml);
  const { stdout, exitCode } = await cictl(['run', 'demo', '--graph'], { home });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^flowchart TD\n {2}n0\["Build"\]\n/);
  expect(stdout).toContain('  n4 --> n5\n');
});

test('rejects --graph with --json', async () => {
  const { exitCode, stdout, stderr } = await plan(yaml, '--graph', '--json');
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain('--graph and -o json cannot be used together');
});
