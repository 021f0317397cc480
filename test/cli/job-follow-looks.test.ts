/** `job log --follow`, poll by poll, on a virtual clock. */
import { expect, test } from 'vitest';
import { inProcess } from '../support/in-process.ts';
import { leadTo } from '../support/against.ts';
import { useHome } from '../support/home.ts';
import { serve, type Exchange } from '../support/server.ts';

const id = '0190046e-e199-453b-a302-a21a4d649d31';
const build = '/v2/organizations/acme/pipelines/web/builds/7';
const job = `web/7#${id}`;

const look = (state: string): Exchange => {
  const started_at = state === 'scheduled' ? null : '2026-01-01T00:00:00Z';
  const jobs = [{ id, type: 'script', name: 'test', state, started_at }];
  return { path: new RegExp(`^${build}(\\?|$)`), answer: { json: { jobs } } };
};
const log = (text: string, range?: string): Exchange => ({
  path: `${build}/jobs/${id}/log.txt`,
  answer: {
    status: range === undefined ? 200 : 206,
    headers: {
      'content-type': 'text/plain',
      ...(range === undefined ? {} : { 'content-range': `bytes ${range}` }),
    },
    body: Buffer.from(text, 'latin1'),
  },
});
const none: Exchange = { path: `${build}/jobs/${id}/log.txt`, answer: { status: 404, json: {} } };

/** Follows a log in this process. The server fails the test on any other request. */
async function against(args: readonly string[], exchanges: readonly Exchange[]) {
  const server = await serve(exchanges);
  const { cwd, env } = await useHome();
  const ended = await inProcess(['job', 'log', ...args, '--follow'], {
    ...{ cwd, env: { ...env, ...leadTo(server.url) }, stdin: '', waits: exchanges.length },
  });
  await server.finish();
  return ended;
}

const pieces = ['one\n', '\x1b[31mtw', 'o \xc3', '\xa4\n10%\r', '100%\n', 'last'];
/** Each poll finds one more chunk. */
const growing = pieces.flatMap((_, at) => [look('running'), log(pieces.slice(0, at + 1).join(''))]);

test('joins lines, colors and characters that arrive in chunks', async () => {
  const { exitCode, stdout } = await against(
    [job],
    [...growing, look('passed'), log(pieces.join(''))],
  );
  expect([exitCode, stdout]).toEqual([0, 'one\ntwo ä\n100%\nlast']);
});

test('--grep reads whole lines of arriving chunks', async () => {
  const exchanges = [...growing, look('failed'), log(pieces.join(''))];
  const { exitCode, stdout } = await against([job, '--grep', 'o'], exchanges);
  expect([exitCode, stdout]).toEqual([1, 'one\ntwo ä\n']);
});

test('waits for a job that has not started, and for its log', async () => {
  const looks = [look('scheduled'), look('running'), none];
  const { stdout, stderr, exitCode } = await against([job], [...looks, look('passed'), log('a\n')]);
  expect([exitCode, stdout]).toEqual([0, 'a\n']);
  expect(stderr).toBe(`job acme/${job} is scheduled, waiting for it to start\n`);
});

test('prints no byte twice if a service without ranges sends everything', async () => {
  const { stdout, exitCode } = await against(
    [job],
    [look('running'), log('a\n'), look('failed'), log('a\nb\n')],
  );
  expect([exitCode, stdout]).toEqual([1, 'a\nb\n']);
});

test('--tail starts with the existing last lines', async () => {
  const { stdout } = await against(
    [job, '--tail', '1'],
    [look('running'), log('a\nb\n', '0-3/4'), look('passed'), log('b\nc\nd\n', '2-7/8')],
  );
  expect(stdout).toBe('b\nc\nd\n');
});

test('reports a log that shrank', async () => {
  const { stdout, stderr } = await against(
    [job],
    [...[look('running'), log('abc\n')], ...[look('passed'), log('x\n', '0-1/2'), log('x\n')]],
  );
  expect(stdout).toBe('abc\nx\n');
  expect(stderr).toContain(`the log of job acme/${job} shrank from 4 to 2 bytes`);
});
