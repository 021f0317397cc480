/**
 * `job log --follow` with jobs of the built-in service and with another service. The output of each
 * poll is tested in `job-follow-looks.test.ts`, without real time.
 */
import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useCounterpart } from '../service/counterpart.ts';
import { scriptedRunner, type ScriptedRunner } from '../service/scripted-runner.ts';
import { cictl, startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve, type Exchange } from '../support/server.ts';

const pieces = ['one\n', '\x1b[31mtwo \xc3\xa4\n', '10%\r100%\n', 'last'];
/** Resolves when the condition holds, however long that takes. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((done) => setTimeout(done, 20));
};

type Follow = (
  args: readonly string[],
  options: Parameters<typeof cictlInTerminal>[1],
  /** Called with all output so far after each write. */
  seen: (text: string) => void,
) => Promise<{ readonly exitCode: number; readonly text: string }>;

/** A job that keeps writing after its first line was read, and finishes while it is followed. */
async function followed(
  follow: Follow,
  end: (runner: ScriptedRunner, cancel: () => Promise<unknown>) => unknown,
  flags: readonly string[] = [],
) {
  const runner = scriptedRunner();
  const service = await useCounterpart({ runner, slots: 1 });
  const path = await service.pipeline('web', 'steps: [{ command: make, key: make }]');
  await service.post(`${path}/builds`, { commit: 'HEAD', branch: 'main' });
  const home = await useHome();
  const env = { ...home.env, CICTL_BASE_URL: service.url, CICTL_TOKEN: service.token };
  let printed = '';
  const result = follow(
    ['job', 'log', 'local/web/1#make', '--follow', ...flags],
    { home: { ...home, env } },
    (text) => (printed = text),
  );
  await until(() => runner.works.length > 0);
  const [first = '', ...others] = pieces;
  const write = (piece: string): void =>
    appendFileSync(runner.works[0]?.logFile ?? '', Buffer.from(piece, 'latin1'));
  write(first);
  await until(() => printed.includes('one'));
  for (const piece of others) write(piece);
  await end(runner, () => service.put(`${path}/builds/1/cancel`));
  return result;
}

const inPipe: Follow = async (args, { home }, seen) => {
  const child = startCictl(args, home);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    seen(Buffer.concat(chunks).toString());
  });
  const { exitCode = -1 } = await child;
  return { exitCode, text: Buffer.concat(chunks).toString() };
};

const onTerminal: Follow = async (args, options, seen) => {
  const { exitCode, screen } = await cictlInTerminal(args, { ...options, seen });
  return { exitCode, text: screen };
};

test.each<[string, number, Parameters<typeof followed>[1]]>([
  ['passes', 0, (runner) => runner.finish('make')],
  ['fails', 1, (runner) => runner.finish('make', { exitStatus: 2 })],
  ['is canceled', 3, (_, cancel) => cancel()],
])('in a pipe, a job that %s exits with %d', async (_, code, end) => {
  const { exitCode, text } = await followed(inPipe, end);
  expect([exitCode, text]).toEqual([code, 'one\ntwo ä\n100%\nlast']);
});

test.skipIf(!hasTerminal)(
  'on a terminal, the log keeps its colors and no pager opens',
  async () => {
    const { exitCode, text } = await followed(onTerminal, (runner) => {
      runner.finish('make', { exitStatus: 2 });
    });
    expect(exitCode).toBe(1);
    expect(text).toContain('one\r\n\x1b[31mtwo ä\x1b[');
    expect(text).toContain('100%');
  },
);

test('--grep and --tail apply to new lines', async () => {
  const { text } = await followed(inPipe, (runner) => runner.finish('make'), ['--grep', 'o']);
  expect(text).toBe('one\ntwo ä\n');
});

const id = '0190046e-e199-453b-a302-a21a4d649d31';
const build = '/v2/organizations/acme/pipelines/web/builds/7';
const job = `web/7#${id}`;
const look = (state: string): Exchange => {
  const started_at = state === 'scheduled' ? null : '2026-01-01T00:00:00Z';
  const jobs = [{ id, type: 'script', name: 'test', state, started_at }];
  return {
    path: /^\/v2\/organizations\/acme\/pipelines\/web\/builds\/7/,
    answer: { json: { jobs } },
  };
};
const text = (body: string): Exchange => ({
  path: `${build}/jobs/${id}/log.txt`,
  answer: { headers: { 'content-type': 'text/plain' }, body },
});

async function against(args: readonly string[], exchanges: readonly Exchange[], more: object = {}) {
  // The number of polls before the timeout depends on the machine.
  const { url } = await serve(exchanges, { atMost: true });
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme', ...more };
  return cictl(['job', 'log', ...args, '--follow'], { env });
}

test('--timeout exits with 124', async () => {
  const { exitCode, stderr } = await against(
    [job, '--timeout', '0.5s'],
    Array<Exchange>(100).fill(look('scheduled')),
  );
  expect(exitCode).toBe(124);
  expect(stderr).toContain(`timed out after 0.5 s waiting for job acme/${job}`);
});

test('Ctrl-C exits with 130, even while a request is pending', async () => {
  const hanging: Exchange = { ...look('running'), answer: { fault: 'hang' } };
  const { url, requests } = await serve([look('running'), text('a\n'), hanging]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme' };
  const child = startCictl(['job', 'log', job, '--follow'], await useHome(), { env });
  const out: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk.toString()));
  await until(() => requests.length === 3);
  child.kill('SIGINT');
  expect((await child).exitCode).toBe(130);
  expect(out).toEqual(['a\n']);
});

test.each([
  ['--format raw', 'follow'],
  ['--format html', 'follow'],
  ['--format json', 'follow'],
  ['--json', 'follow'],
  ['--groups', 'follow'],
  ['--group x', '--group'],
  ['--head 3', '--head'],
  ['--out file', '--out'],
])('%s with --follow exits with 2 and sends nothing', async (flags, words) => {
  const { exitCode, stdout, stderr } = await against([job, ...flags.split(' ')], []);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(words);
});

const inside = {
  ...{ BUILDKITE_ORGANIZATION_SLUG: 'acme', BUILDKITE_PIPELINE_SLUG: 'web' },
  ...{ BUILDKITE_BUILD_NUMBER: '7', BUILDKITE_JOB_ID: id, BUILDKITE: 'true' },
};

test('rejects following its own job, which would never end', async () => {
  const { exitCode, stderr } = await against([job], [], inside);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('wait for itself');
});
