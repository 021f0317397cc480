/** Durations above the limit of Node's timers (24.8 days). */
import { expect, test } from 'vitest';
import { against, leadTo } from '../support/against.ts';
import { cictl, startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { pipelineIn } from '../run/pipelines.ts';
import { serve, type Exchange } from '../support/server.ts';

const base = '/v2/organizations/acme/pipelines/web/builds';
const build = (state: string): Exchange => ({
  path: `${base}/8`,
  answer: { json: { id: 'b', number: 8, state, web_url: 'https://ci.test/8' } },
});
const metrics = (pollDuration: string): Exchange => ({
  path: '/v3/metrics',
  answer: {
    json: {
      agents: { idle: 1, busy: 0, total: 1, queues: {} },
      jobs: { scheduled: 0, running: 0, waiting: 0, total: 0, queues: {} },
    },
    headers: { 'Buildkite-Agent-Metrics-Poll-Duration': pollDuration },
  },
});

test.each(['24d', '25d', '30d', '400d'])(
  'builds watch --timeout %s keeps running',
  async (timeout) => {
    const line = ['builds', 'watch', '8', '-i', '10ms', '--timeout', timeout];
    const { exitCode, stderr } = await against([build('running'), build('passed')], line);
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('Warning')]);
  },
);

test.each(['30d', '400d'])('builds watch -i %s polls once, then waits', async (interval) => {
  const line = ['builds', 'watch', '8', '-i', interval, '--timeout', '1s'];
  const { exitCode, stderr } = await against([build('running')], line, { atMost: true });
  expect([exitCode, stderr]).toEqual([124, expect.not.stringContaining('Warning')]);
});

test.each([[['-i', '30d']], [[]]])('metrics --watch %j polls once, then waits', async (flags) => {
  const line = ['metrics', '--watch', ...flags, '--timeout', '1s'];
  const { exitCode, stderr } = await against([metrics('2147484')], line, { atMost: true });
  expect([exitCode, stderr]).toEqual([124, expect.not.stringContaining('Warning')]);
});

test('metrics --watch --timeout 30d keeps running', async () => {
  const home = await useHome();
  const server = await serve(Array<Exchange>(1000).fill(metrics('0')), { atMost: true });
  const line = ['metrics', '--watch', '-i', '10ms', '--timeout', '30d', '--json'];
  const child = startCictl(line, home, { env: leadTo(server.url) });
  let looks = 0;
  child.stdout.on('data', (chunk: Uint8Array) => {
    looks += new TextDecoder().decode(chunk).split('\n').length - 1;
    if (looks > 1) child.kill('SIGINT');
  });
  expect((await child).exitCode).toBe(130);
  expect(looks).toBeGreaterThan(1);
});

test.each<[string, readonly string[], Readonly<Record<string, string>>]>([
  ['--request-timeout 30d', ['--request-timeout', '30d'], {}],
  ['--request-timeout 400d', ['--request-timeout', '400d'], {}],
  ['CICTL_REQUEST_TIMEOUT', [], { CICTL_REQUEST_TIMEOUT: '30d' }],
  ['--max-wait 30d', ['--max-wait', '30d'], {}],
])('%s lets a request finish', async (_, flags, env) => {
  const answer = { json: [] };
  const busy = { status: 429, json: {}, headers: { 'retry-after': '1' } };
  const exchanges = [
    { path: /builds/, answer: busy },
    { path: /builds/, answer },
  ];
  const result = await against(exchanges, ['builds', 'list', ...flags, '--json'], { env });
  expect(result).toMatchObject({ exitCode: 0, stdout: '[]\n' });
  expect(result.stderr).not.toContain('Warning');
});

test('run --timeout 30d runs to its end', async () => {
  const home = await useHome();
  await pipelineIn(home, 'demo', 'steps: [{ command: "true" }]');
  const { exitCode, stderr } = await cictl(['run', 'demo', '--timeout', '30d'], { home });
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('Warning')]);
});
