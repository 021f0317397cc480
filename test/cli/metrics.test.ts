/** `metrics`: once, repeatedly, and as a scrape endpoint. */
import { expect, test } from 'vitest';
import { against, leadTo } from '../support/against.ts';
import { cictl, startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { inProcess } from '../support/in-process.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve, type Exchange } from '../support/server.ts';

const metrics = (idle = 2) => ({
  agents: { idle, busy: 1, total: 3, queues: { default: { idle, busy: 1, total: 3 } } },
  jobs: {
    ...{ scheduled: 0, running: 1, waiting: 4, total: 5 },
    queues: {
      default: { scheduled: 0, running: 1, waiting: 3, total: 4 },
      gpu: { scheduled: 0, running: 0, waiting: 1, total: 1 },
    },
  },
  organization: { slug: 'acme', unknown_to_us: true },
});

const look = (idle = 2, pollDuration = '10'): Exchange => ({
  path: '/v3/metrics',
  headers: { authorization: 'Token agent-token' },
  answer: {
    json: metrics(idle),
    headers: { 'Buildkite-Agent-Metrics-Poll-Duration': pollDuration },
  },
});

test('prints rows in a pipe: each queue, then the total', async () => {
  const { stdout, stderr, exitCode } = await against([look()], ['metrics']);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toBe(
    'default\t2\t1\t3\t0\t1\t3\t4\ngpu\t0\t0\t0\t0\t0\t1\t1\n(all)\t2\t1\t3\t0\t1\t4\t5\n',
  );
});

test.each([[['--json']], [['--format', 'json']]])('%j is what the service sent', async (args) => {
  const { stdout } = await against([look()], ['metrics', ...args]);
  expect(JSON.parse(stdout)).toEqual(metrics());
});

test('--queue filters, and reports unknown queues', async () => {
  const line = ['metrics', '--queue', 'gpu', '--queue', 'none'];
  const { stdout, stderr, exitCode } = await against([look()], line);
  expect([exitCode, stdout]).toEqual([0, 'gpu\t0\t0\t0\t0\t0\t1\t1\nnone\t0\t0\t0\t0\t0\t0\t0\n']);
  expect(stderr).toBe('no metrics for queue none\n');
  const { stdout: json } = await against(
    [look()],
    [...line, '--jq', '[.jobs,.agents|.queues|keys]'],
  );
  expect(json).toBe('[["gpu"],[]]\n');
});

test('--fields selects columns and members', async () => {
  const line = ['metrics', '--fields', 'queue,jobs.waiting'];
  expect((await against([look()], line)).stdout).toBe('default\t3\ngpu\t1\n(all)\t4\n');
  const { stdout } = await against([look()], ['metrics', '--json', '--fields', 'jobs.total']);
  expect(JSON.parse(stdout)).toEqual({ jobs: { total: 5 } });
});

test.each([
  ['prometheus', 'buildkite_queues_waiting_jobs_count{queue="gpu"} 1\n'],
  ['statsd', 'buildkite.queues.gpu.WaitingJobsCount:1|g\n'],
  ['table', 'QUEUE    IDLE  BUSY  AGENTS'],
])('--format %s', async (format, words) => {
  const { stdout } = await against([look()], ['metrics', '--format', format]);
  expect(stdout).toContain(words);
});

test('missing counts are 0, and totals appear without a filter, as in the public exporter', async () => {
  const prometheus = async (...args: string[]) => {
    const line = ['metrics', '--format', 'prometheus', ...args];
    const { stdout } = await against([look()], line);
    return stdout.split('\n').filter((sample) => /^buildkite/.test(sample));
  };
  const all = await prometheus();
  expect(all).toContain('buildkite_queues_idle_agent_count{queue="gpu"} 0');
  expect(all).toContain('buildkite_queues_busy_agent_percentage{queue="gpu"} 0');
  expect(all).toContain('buildkite_total_waiting_jobs_count 4');
  expect(all.filter((sample) => sample.startsWith('buildkite_total_'))).toHaveLength(8);
  const asked = await prometheus('--queue', 'none');
  expect(asked).toHaveLength(8);
  expect(asked.filter((sample) => !sample.endsWith('{queue="none"} 0'))).toEqual([]);
});

test.each([
  [['-o', 'yaml'], 'use --format'],
  [['--json', '--format', 'statsd'], 'cannot be used together'],
  [['--listen', '0', '--watch'], 'cannot be used together'],
  [['--listen', '0', '--format', 'statsd'], '--listen and --format statsd'],
  [['--listen', 'x:y'], '[HOST:]PORT'],
  [['-i', '5s'], 'requires --watch'],
  [['--timeout', '5s'], 'requires --watch'],
])('%j exits with 2 and sends nothing', async (args, words) => {
  const { exitCode, stderr } = await against([], ['metrics', ...args]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test('the access token is not an agent registration token', async () => {
  const { exitCode, stderr } = await against([], ['metrics'], { env: { CICTL_AGENT_TOKEN: '' } });
  expect([exitCode, stderr]).toEqual([6, expect.stringContaining('CICTL_AGENT_TOKEN')]);
});

test('a rejected token exits with 6', async () => {
  const answer = { status: 401, json: { message: 'Invalid token' } };
  const line = ['metrics', '--listen', '0'];
  expect((await against([{ path: '/v3/metrics', answer }], line)).exitCode).toBe(6);
});

test('--watch polls one request at a time', async () => {
  const server = await serve([look(1, '0'), look(2, '0'), look(3, '60')]);
  const { cwd, env } = await useHome();
  const { stdout, exitCode } = await inProcess(
    ['metrics', '--watch', '-i', '100ms', '--jq', '.agents.idle'],
    { cwd, env: { ...env, ...leadTo(server.url) }, stdin: '', waits: 2 },
  );
  expect([exitCode, stdout]).toEqual([130, '1\n2\n3\n']);
});

test('--timeout ends a watch with 124', async () => {
  const looks = Array<Exchange>(100).fill(look(1, '0'));
  const line = ['metrics', '--watch', '-i', '100ms', '--timeout', '0.5s'];
  const { exitCode, stderr } = await against(looks, line, { atMost: true });
  expect([exitCode, stderr]).toEqual([124, expect.stringContaining('after 0.5 s')]);
});

test('Ctrl-C ends a watch with 130', async () => {
  const home = await useHome();
  const server = await serve([look()]);
  const child = startCictl(['metrics', '--watch'], home, { env: leadTo(server.url) });
  child.stdout.once('data', () => child.kill('SIGINT'));
  expect((await child).exitCode).toBe(130);
});

test('--listen serves Prometheus, and polls no more often than allowed', async () => {
  const home = await useHome();
  const server = await serve([look()]);
  const child = startCictl(['metrics', '--listen', '0'], home, { env: leadTo(server.url) });
  const address = await new Promise<string>((resolve) => {
    child.stderr.on('data', (chunk: Uint8Array) => {
      const found = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(new TextDecoder().decode(chunk))?.[0];
      if (found !== undefined) resolve(found);
    });
  });
  const scrape = await fetch(address);
  expect(scrape.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await scrape.text();
  expect(text).toContain('\nbuildkite_total_busy_agent_count 1\n');
  expect(await (await fetch(address)).text()).toBe(text);
  expect((await fetch(new URL('/', address))).status).toBe(404);
  expect((await fetch(address, { method: 'POST' })).status).toBe(405);
  child.kill('SIGTERM');
  expect((await child).exitCode).toBe(143);
});

test('a port in use exits with 10', async () => {
  const server = await serve([look()]);
  const line = ['metrics', '--listen', new URL(server.url).port];
  const { exitCode, stderr } = await cictl(line, { env: leadTo(server.url) });
  expect([exitCode, stderr]).toEqual([10, expect.stringContaining('the port is in use')]);
});

test.skipIf(!hasTerminal)('--watch on a terminal repaints the table in place', async () => {
  const { url } = await serve([look(1, '0'), look(27, '60')]);
  const { screen, exitCode } = await cictlInTerminal(['metrics', '--watch', '-i', '100ms'], {
    home: await useHome(),
    env: leadTo(url),
    keys: [{ after: '27', type: '\u0003' }],
  });
  expect(exitCode).toBe(130);
  expect(screen).toMatch(/default +1 [^]*\u001b\[\d+A[^]*default +27 /);
});
