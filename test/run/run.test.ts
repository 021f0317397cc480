/** `cictl run` in a pipe: output and exit code. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { pipelineIn } from './pipelines.ts';
import { shell } from './shell.ts';

const hello = `
env: { GREETING: hello }
steps:
  - { label: greet, command: 'echo "$GREETING from $BUILDKITE_PIPELINE_SLUG"; echo err >&2' }
  - wait
  - { label: lint, command: 'exit 3', soft_fail: true }
`;

async function run(yaml: string, args: readonly string[] = [], given?: Home) {
  const home = given ?? (await useHome());
  await pipelineIn(home, 'demo', yaml);
  return { home, ...(await cictl(['run', 'demo', ...args], { home })) };
}

test('prints one line per change, with the logs of jobs between', async () => {
  const { stdout, stderr, exitCode } = await run(hello);
  const lines = stdout.trimEnd().split('\n');
  const events = lines.filter((line) => line.includes('\t')).map((line) => line.split('\t'));
  expect(exitCode, stderr).toBe(0);
  expect(lines).toEqual(expect.arrayContaining(['greet | hello from demo', 'greet | err']));
  expect(events.find(([, , name]) => name === 'lint')?.slice(1)).toEqual([
    'job',
    'lint',
    'waiting',
    '',
  ]);
  expect(events.findLast(([, , name]) => name === 'lint')?.slice(1)).toEqual([
    ...['job', 'lint', 'failed'],
    'exit status 3, soft failure',
  ]);
  expect(events.at(-1)?.slice(1, 4)).toEqual(['build', '1', 'passed']);
  expect(lines.indexOf('greet | err')).toBeLessThan(
    lines.findIndex((line) => line.includes('\tgreet\tpassed')),
  );
});

test('with --json, prints one event per line and no logs', async () => {
  const { stdout, exitCode } = await run(hello, ['--json']);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);
  expect(exitCode).toBe(0);
  expect(events.at(-1)).toMatchObject({
    event: 'end',
    build: { number: 1, state: 'passed', blocked: false },
    exit_code: 0,
  });
  const names = events.filter(({ event }) => event === 'job').map(({ job }) => job?.name);
  expect(new Set(names)).toEqual(new Set(['greet', 'lint']));
});

interface Event {
  readonly event: string;
  readonly job?: { readonly name: string };
}

test.each([
  ['fails', "steps: [{ command: 'exit 7' }]", [], 1],
  ['is blocked', "steps: [{ command: 'true' }, { block: Go? }, { command: 'true' }]", [], 4],
  ['takes too long', "steps: [{ command: 'sleep 77' }]", ['--timeout', '1s'], 124],
])('a build that %s', async (_, yaml, args, code) => {
  expect((await run(yaml, args)).exitCode).toBe(code);
});

test('a rejected pipeline file starts nothing and shows where the problem is', async () => {
  const yaml = 'steps:\n  - command: touch started\n  - comand: ls\n';
  const { home, stdout, stderr, exitCode } = await run(yaml);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain('pipeline.yml:3:5: ');
  expect(stderr).toContain('did you mean `command`?');
  expect(stderr).not.toContain('    at ');
  expect((await cictl(['local', 'status'], { home })).exitCode).toBe(9);
  expect((await cictl(['run', 'demo/pipeline.yml', '--plan'], { home })).exitCode).toBe(2);
});

test('a missing file exits with 2, with JSON too', async () => {
  const { stderr, exitCode } = await cictl(['run', 'nope.yml', '--json']);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 2, kind: 'usage' } });
});

test('reads variables of the build from flags and a file', async () => {
  const home = await useHome();
  await writeFile(join(home.cwd, 'vars.env'), 'GREETING=file\nNAME="a b"\n');
  const yaml = `steps: [{ command: 'echo "$$GREETING,$$NAME"' }]`;
  const args = ['--env-from', 'vars.env', '-e', 'GREETING=flag'];
  const { stdout } = await run(yaml, args, home);
  expect(stdout).toContain('| flag,a b\n');
});

test('--plan prints the steps and runs none', async () => {
  const { home, stdout, exitCode } = await run(hello, ['--plan', '--fields', 'type,label']);
  expect([exitCode, stdout]).toEqual([0, 'command\tgreet\nwait\t\ncommand\tlint\n']);
  expect((await cictl(['local', 'pipeline', 'list'], { home })).stdout).toBe('');
});

test('a second run is the next build of the same pipeline', async () => {
  const { home } = await run(hello);
  const { stdout } = await run(hello, ['--json'], home);
  expect(stdout.trimEnd().split('\n').at(-1)).toContain('"number":2');
  const list = await cictl(['local', 'pipeline', 'list', '--fields', 'slug'], { home });
  expect(list.stdout).toBe('demo\n');
});

test('--jobs sets how many run at once', async () => {
  const job = `{ command: 'echo in >>order; sleep 0.3; echo out >>order' }`;
  const yaml = `steps: [${job}, ${job}, wait, { command: 'paste -sd " " order' }]`;
  const { stdout } = await run(yaml, ['--jobs', '1']);
  expect(stdout).toContain('| in out in out\n');
});

test.each([
  [['--jobs', '0']],
  [['--jobs', 'x']],
  [['--timeout', 'soon']],
  [['--env', 'NOT_THERE_AT_ALL']],
  [['--stpe', 'x']],
])('rejects %j', async (args) => {
  const { exitCode, stdout } = await run(hello, args);
  expect([exitCode, stdout]).toEqual([2, '']);
});

test('a closed pipe ends it silently, with everything it started', async () => {
  const home = await useHome();
  await pipelineIn(
    home,
    'demo',
    "steps: [{ command: 'sleep 0.5' }, wait, { command: 'sleep 78' }]",
  );
  const { exitCode, stderr } = await shell('"$NODE" "$CICTL" run demo | head -n 1', home);
  expect([exitCode, stderr]).toEqual([0, '']);
});
