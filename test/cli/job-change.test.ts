/** `job retry`, `job unblock` and `job delete-log` against a server that expects their requests. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acme, against, leadTo } from '../support/against.ts';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve, type Exchange } from '../support/server.ts';
import { sampled } from '../support/full.ts';

const build = `${acme}/pipelines/web/builds/7`;
const script = (id: string, state: string, rest: object = {}) => ({
  ...{ id, type: 'script', name: `job ${id}`, step_key: `key-${id}`, state },
  ...rest,
});

const get = (jobs: readonly object[], all = false): Exchange => ({
  path: `${build}${all ? '?include_retried_jobs=true' : ''}`,
  answer: { json: { number: 7, jobs } },
});

const put = (id: string, verb: string, answer: Exchange['answer'], body?: unknown): Exchange => ({
  method: 'PUT',
  path: `${build}/jobs/${id}/${verb}`,
  ...(body !== undefined && { body }),
  ...(answer && { answer }),
});

const retried = (id: string, as: string): Exchange =>
  put(id, 'retry', { json: { ...script(as, 'scheduled'), web_url: `https://ci/7#${as}` } }, '');

test('retry prints the URL of the new job in a pipe', async () => {
  const exchanges = [get([script('a', 'failed')]), retried('a', 'b')];
  const { stdout, stderr, exitCode } = await against(exchanges, ['job', 'retry', '7#key-a']);
  expect([exitCode, stdout, stderr]).toEqual([0, 'https://ci/7#b\n', '']);
});

test('retry follows an old id to the latest attempt, with a notice', async () => {
  const jobs = [
    script('a', 'failed', { retried_in_job_id: 'b' }),
    script('b', 'failed', { retried_in_job_id: 'c' }),
    script('c', 'failed'),
  ];
  const exchanges = [get([script('c', 'failed')]), get(jobs, true), retried('c', 'd')];
  const { stdout, stderr } = await against(exchanges, ['job', 'retry', 'a', '--build', '7']);
  expect(stdout).toBe('https://ci/7#d\n');
  expect(stderr).toBe('job a was already retried; using its latest retry c\n');
});

test('two names of one job are retried once', async () => {
  const jobs = [script('a', 'failed')];
  const exchanges = [get(jobs), get(jobs), retried('a', 'b')];
  expect((await against(exchanges, ['job', 'retry', '7#a', '7#job a'])).exitCode).toBe(0);
});

test('a misspelled job changes nothing', async () => {
  const jobs = [script('a', 'failed')];
  const exchanges = [get(jobs), get(jobs), get(jobs, true)];
  expect((await against(exchanges, ['job', 'retry', '7#a', '7#x'])).exitCode).toBe(7);
});

const mixed = [
  script('a', 'failed'),
  script('b', 'passed'),
  script('c', 'timed_out'),
  script('d', 'failed', { soft_failed: true }),
  { id: 'e', type: 'manual', label: 'Go', state: 'blocked' },
  { id: 'f', type: 'waiter', state: 'waiting' },
];

const retryOf = (path: string) => ({
  json: { id: `new-${path}`, web_url: null },
});

test('--failed retries failed jobs, one line each', async () => {
  const any = /\/jobs\/[ac]\/retry$/;
  const exchanges = [
    get(mixed),
    { method: 'PUT', path: any, answer: retryOf('1') },
    { method: 'PUT', path: any, answer: retryOf('2') },
  ];
  const { stdout, exitCode } = await against(exchanges, [
    'job',
    'retry',
    '--failed',
    '--build',
    '7',
  ]);
  expect(exitCode).toBe(0);
  expect(stdout.split('\n').sort()).toEqual(['', 'new-1', 'new-2']);
});

test('--failed continues after a failure and exits with the largest code', async () => {
  const any = /\/jobs\/[ac]\/retry$/;
  const exchanges: Exchange[] = [
    get(mixed),
    { method: 'PUT', path: any, answer: { status: 422, json: { message: 'Only once' } } },
    { method: 'PUT', path: any, answer: { status: 403, json: { message: 'Forbidden' } } },
  ];
  const line = ['job', 'retry', '--failed', '--build', '7', '--json'];
  const { stdout, stderr, exitCode } = await against(exchanges, line);
  expect([exitCode, stdout]).toEqual([8, '']);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.slice(0, 2).join()).toMatch(/acme\/web\/7#[ac]: .*acme\/web\/7#[ac]: /);
  expect(JSON.parse(lines[2] ?? '')).toMatchObject({
    error: { code: 8, status: 422, message: '2 of 2 jobs were not retried' },
  });
});

test('--failed of a build without failures exits with 0', async () => {
  const { exitCode, stderr } = await against(
    [get([script('a', 'passed')])],
    ['job', 'retry', '--failed', '--build', '7'],
  );
  expect([exitCode, stderr]).toEqual([0, 'no failed jobs to retry\n']);
});

test('--failed --dry-run shows every request and sends none', async () => {
  const { stdout } = await against(
    [get(mixed)],
    ['job', 'retry', '--failed', '--build', '7', '--dry-run'],
  );
  expect(stdout.match(/^PUT .*\/jobs\/[ac]\/retry$/gm)).toHaveLength(2);
});

const block = (rest: object = {}) => ({
  ...{ id: 'e', type: 'manual', label: 'Go', step_key: 'go', state: 'blocked', web_url: null },
  ...rest,
});

sampled.each([
  [[], {}],
  [['--field', 'version=1.4'], { fields: { version: '1.4' } }],
  [
    ['--field', 'to=a', '--field', 'to=b=c', '--field', '__proto__=x'],
    { fields: JSON.parse('{"to":["a","b=c"],"__proto__":"x"}') as object },
  ],
  [['--fields-file', 'fields.json'], { fields: { n: 1, list: ['x'] } }],
  [['--unblocker', 'user-id'], { unblocker: 'user-id' }],
])('unblock with %j sends %j', async (args, body) => {
  const home = await useHome();
  await writeFile(join(home.cwd, 'fields.json'), '{"n":1,"list":["x"]}');
  const exchanges = [
    get([block()]),
    put('e', 'unblock', { json: block({ state: 'unblocked' }) }, JSON.stringify(body)),
  ];
  const { stdout, exitCode } = await against(exchanges, ['job', 'unblock', '7#Go', ...args], {
    home,
  });
  expect([exitCode, stdout]).toEqual([0, 'e\n']);
});

test('unblock reads standard input only on request', async () => {
  const exchanges = [
    get([block()]),
    put('e', 'unblock', { json: block() }, { fields: { a: 'from input' } }),
  ];
  const args = ['job', 'unblock', '7#go', '--fields-file', '-'];
  expect((await against(exchanges, args, { stdin: '{"a":"from input"}' })).exitCode).toBe(0);
  const unasked = [get([block()]), put('e', 'unblock', { json: block() }, {})];
  const { exitCode } = await against(unasked, ['job', 'unblock', '7#go'], { stdin: '{"a":"x"}' });
  expect(exitCode).toBe(0);
});

test('unblock without values notes the fields that it leaves out', async () => {
  const fields = [{ key: 'version', required: false }];
  const exchanges = [get([block({ fields })]), put('e', 'unblock', { json: block() }, {})];
  const { exitCode, stderr } = await against(exchanges, ['job', 'unblock', '7#go']);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('version')]);
});

test('unblock says who already unblocked the job', async () => {
  const done = block({
    state: 'unblocked',
    unblocked_at: '2026-01-02T03:04:05Z',
    unblocked_by: { name: 'Ada\u001b[31m' },
  });
  const { exitCode, stderr } = await against([get([done])], ['job', 'unblock', '7#go']);
  expect([exitCode, stderr]).toEqual([
    8,
    'cictl: job "Go" was already unblocked by Ada at 2026-01-02T03:04:05Z\n',
  ]);
});

test('the service rejects unblocking a script job', async () => {
  const message = 'This job type cannot be unblocked';
  const exchanges = [
    get([script('a', 'failed')]),
    put('a', 'unblock', { status: 400, json: { message } }),
  ];
  const { exitCode, stderr } = await against(exchanges, ['job', 'unblock', '7#a']);
  expect([exitCode, stderr]).toEqual([8, expect.stringContaining(message)]);
});

const fields = [
  { key: 'version', required: true, default: null },
  { key: 'stage', required: true, default: 'dev', options: [{ value: 'dev' }, { value: 'prod' }] },
];

sampled.each([
  [[], 'requires a value for version; its fields are version (required), stage (one of dev, prod)'],
  [['--field', 'versoin=1'], 'has no field "versoin"; its fields are version'],
])('unblock with %j says which fields the block step has', async (args, words) => {
  const { exitCode, stderr } = await against(
    [get([block({ fields })])],
    ['job', 'unblock', '7#go', ...args],
  );
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test('delete-log asks for confirmation, and prints nothing in a pipe', async () => {
  const id = '0d3e3a5b-51ae-4f9b-8f6f-2c6a3b8e7d11';
  const exchange = { method: 'DELETE', path: `${build}/jobs/${id}/log`, answer: { status: 204 } };
  const line = ['job', 'delete-log', `7#${id}`];
  const refused = await against([], line);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('add --yes')]);
  const { exitCode, stdout } = await against([exchange], [...line, '--yes']);
  expect([exitCode, stdout]).toEqual([0, '']);
});

sampled.each([
  [['job', 'retry', 'a']],
  [['job', 'retry']],
  [['job', 'retry', '--failed']],
  [['job', 'unblock', 'go']],
  [['job', 'unblock']],
  [['job', 'delete-log', 'a', '--yes']],
])('%j guesses no build, not even inside a job', async (args) => {
  const insideJob = { BUILDKITE_BUILD_NUMBER: '7', BUILDKITE_JOB_ID: 'a' };
  const { exitCode, stderr } = await against([], args, { env: insideJob });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/no (BUILD|JOB) given/);
});

sampled.each([
  [['job', 'retry', '7#a', '--failed'], 'cannot be used together'],
  [['job', 'unblock', '7#go', '--field', 'x'], 'KEY=VALUE'],
  [['job', 'unblock', '7#go', '--field', 'x=1', '--fields-file', 'f'], 'cannot be used together'],
  [['job', 'unblock', '7#go', '--fields-file', '-'], 'is not valid JSON'],
])('%j is code 2 and sends nothing', async (args, words) => {
  const { exitCode, stderr } = await against([], args);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test.skipIf(!hasTerminal)('on a terminal, several retries are one line each', async () => {
  const any = /\/jobs\/[ac]\/retry$/;
  const server = await serve([
    get(mixed),
    { method: 'PUT', path: any, answer: { json: { id: 'n1', name: 'tests' } } },
    { method: 'PUT', path: any, answer: { json: { id: 'n2', name: 'lint' } } },
  ]);
  const { screen } = await cictlInTerminal(['job', 'retry', '--failed', '--build', '7'], {
    home: await useHome(),
    env: leadTo(server.url),
  });
  expect(screen).toMatch(/tests: retried [ac] as n1\r\n/);
  expect(screen).toMatch(/lint: retried [ac] as n2\r\n/);
});

test.skipIf(!hasTerminal)('shows the id of a block step in the table', async () => {
  const server = await serve([get(mixed)]);
  const { screen } = await cictlInTerminal(['job', 'list', '7', '--no-color'], {
    home: await useHome(),
    env: leadTo(server.url),
  });
  expect(screen).toMatch(/^■ blocked +Go.* e\r?$/m);
});

test('prints the same in a pipe', async () => {
  const { url } = await serve([get(mixed)]);
  const { stdout } = await cictl(
    ['job', 'list', '7', '--state', 'blocked', '--fields', 'id,type'],
    {
      env: leadTo(url),
    },
  );
  expect(stdout).toBe('e\tmanual\n');
});
