/** Endless jq programs, large YAML documents and responses that never complete all end. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { cictl, startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { sampled } from '../support/full.ts';

/** A service that always responds with this JSON. `asked` resolves on the first request. */
async function useService(json: string) {
  let ask = (): void => undefined;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(json, ask);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, env: { CICTL_BASE_URL: url, CICTL_TOKEN: 'token-of-a-test', CICTL_ORG: 'acme' } };
}

const list = '[{"number":1,"message":"a"}]';
const builds = (flags: readonly string[]): string[] => ['builds', 'list', ...flags];

sampled.each([
  ['SIGINT', 130, 'last(repeat(1))'],
  ['SIGTERM', 143, 'last(repeat(1))'],
  ['SIGINT', 130, 'def f: f; f'],
  ['SIGINT', 130, '[.[]|range(1e18)|select(. < 0)]'],
] as const)('%s ends with code %d: --jq %s', async (signal, code, program) => {
  const { asked, env } = await useService(list);
  const child = startCictl(builds(['--jq', program]), await useHome(), { env });
  await asked;
  child.kill(signal);
  expect((await child).exitCode).toBe(code);
});

test('SIGINT interrupts the output of a large YAML document', async () => {
  const { asked, env } = await useService(`[${`{"text":"${'x'.repeat(200)}"},`.repeat(150_000)}1]`);
  const child = startCictl(['api', '/v2/x', '-o', 'yaml'], await useHome(), { env });
  await asked;
  child.stdout.once('data', () => child.kill('SIGINT'));
  expect((await child).exitCode).toBe(130);
});

sampled.each([
  'def f: [f]; f',
  'reduce range(100) as $i ("x"; . + .)',
  '.[0].message * 1000000000 | .+.+.',
])('memory without end is code 10 in one line: --jq %s', async (program) => {
  const { env } = await useService(list);
  const { exitCode, stdout, stderr } = await cictl(builds(['--jq', program]), { env });
  expect([exitCode, stdout]).toEqual([10, '']);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 10, kind: 'machine' } });
});

test('jq in a thread prints the same', async () => {
  const { env } = await useService('{"items":[{"n":12345678901234567890},{"n":2}]}');
  const program = '.items[] | debug | first(.n, 3)';
  const there = await cictl(['api', '/x', '--jq', `${program} as $x | $x`], { env, started: true });
  const here = await cictl(['api', '/x', '--jq', program], { env });
  expect([there.exitCode, there.stdout, there.stderr]).toEqual([0, here.stdout, here.stderr]);
  expect(there.stdout).toBe('12345678901234567890\n2\n');
});

test('elements of a list share one jq thread', async () => {
  const { env } = await useService(`[${'{"number":1},'.repeat(300)}{"number":2}]`);
  const flags = ['--all', '-o', 'jsonl', '--jq', '.number as $n | range($n)'];
  const { exitCode, stdout } = await cictl(builds(flags), { env, started: true });
  expect([exitCode, stdout]).toEqual([0, `${'0\n'.repeat(300)}0\n1\n`]);
});

const half = '[{"number":1,"message":"ok"},{"number":2,"message":"x\\ud800y"}]';

test('--jq reads half of a surrogate pair as U+FFFD, and --json prints it as sent', async () => {
  const { env } = await useService(half);
  const read = await cictl(builds(['--jq', '.[].message']), { env });
  expect([read.exitCode, read.stdout]).toEqual([0, 'ok\nx\ufffdy\n']);
  const { exitCode, stdout } = await cictl(builds(['--json']), { env });
  expect([exitCode, stdout.replaceAll('\n', '')]).toEqual([0, half]);
});

test('half of a surrogate pair in a program exits with 2 and sends nothing', async () => {
  const env = { CICTL_BASE_URL: 'http://127.0.0.1:1', CICTL_TOKEN: 'x', CICTL_ORG: 'acme' };
  const { exitCode, stderr } = await cictl(builds(['--jq', '.[] | .message == "\\udead"']), {
    env,
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('\\\\udead is an unpaired surrogate');
});

test('2,000 levels of nesting exit with 9 as YAML', async () => {
  const { env } = await useService(`${'['.repeat(2000)}${']'.repeat(2000)}`);
  const { exitCode, stdout, stderr } = await cictl(['api', '/x', '-o', 'yaml'], { env });
  expect([exitCode, stdout]).toEqual([9, '']);
  expect(stderr).toContain('deeper than 1000 levels');
});

/** A service whose responses never complete: a space every 20 ms. */
async function useTrickle() {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { CICTL_BASE_URL: url, CICTL_TOKEN: 'token-of-a-test', CICTL_ORG: 'acme' };
}

sampled.each([
  ['builds watch 7', 'timed out after 1 s waiting for build acme/web/7'],
  ['job log 7#test --follow', 'cannot view build acme/web/7: timed out after 1 s'],
  ['builds rebuild 7 --watch', 'cannot rebuild build acme/web/7: timed out after 1 s'],
])('%s --timeout aborts a response that trickles in', async (line, message) => {
  const env = { ...(await useTrickle()), CICTL_PIPELINE: 'web' };
  const { exitCode, stderr } = await cictl([...line.split(' '), '--timeout', '1s'], { env });
  expect([exitCode, stderr]).toEqual([124, expect.stringContaining(message)]);
});
