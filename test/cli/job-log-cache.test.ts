/** Cached logs of finished jobs: what is stored, for whom, and what a second request sends. */
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome, useHomeWithoutCache, type Home } from '../support/home.ts';
import { serve, type Exchange } from '../support/server.ts';

const id = '0190046e-e199-453b-a302-a21a4d649d31';
const build = '/v2/organizations/acme/pipelines/web/builds/7';
const byId = `acme/web/7#${id}`;
const byName = 'acme/web/7#test';
const content = 'one\n\x1b[31mtwo\x1b[0m\nlast';
const text = 'one\ntwo\nlast';
const minute = 60_000;

const log: Exchange = {
  path: `${build}/jobs/${id}/log.txt`,
  answer: { headers: { 'content-type': 'text/plain' }, body: content },
};
/** The build, whose job finished this many milliseconds ago. */
const look = (ago: number | null = 10 * minute): Exchange => {
  const finished_at = ago === null ? null : new Date(Date.now() - ago).toISOString();
  const jobs = [
    {
      ...{ id, type: 'script', step_key: 'test', name: 'Test', web_url: 'https://ci.example/7' },
      ...{ state: 'failed', exit_status: 3, finished_at },
    },
  ];
  return { path: /\/builds\/7(\?include_retried_jobs=true)?$/, answer: { json: { jobs } } };
};
const remove: Exchange = {
  method: 'DELETE',
  path: `${build}/jobs/${id}/log`,
  answer: { status: 204 },
};

const user = (home: Home, url: string, token = 'token-of-a-test') => ({
  home,
  env: { CICTL_BASE_URL: url, CICTL_TOKEN: token },
});

async function printed(line: string, options: ReturnType<typeof user>): Promise<string> {
  const { stdout, stderr, exitCode } = await cictl(line.split(' '), options);
  return exitCode === 0 ? stdout : stderr;
}

test.each([
  ['its id', byId, [log, look()]],
  ['its name', byName, [look(), log, look()]],
])('reading a job by %s again requests no log', async (_, job, exchanges) => {
  const { url } = await serve(exchanges);
  const options = user(await useHome(), url);
  const line = `job log ${job} --format raw`;
  expect([await printed(line, options), await printed(line, options)]).toEqual([content, content]);
});

test.each([[byId], [byName]])('%s is printed although the service is down', async (job) => {
  const server = await serve(job === byId ? [log, look()] : [look(), log]);
  const options = user(await useHome(), server.url);
  await printed(`job log ${job}`, options);
  await server.finish();
  expect(await printed(`job log ${job}`, options)).toBe('one\ntwo\nlast');
  expect(await printed(`job log ${job} --tail 1`, options)).toBe('last');
  expect(await printed(`job log ${job} --grep two`, options)).toBe('two\n');
});

test.each([
  ['its id', byId, [look(), log]],
  ['its name', byName, [look(), log, look()]],
])(
  'the page of a job by %s has the same heading without a new request',
  async (_, job, exchanges) => {
    const server = await serve(exchanges);
    const options = user(await useHome(), server.url);
    const page = await printed(`job log ${job} --format html`, options);
    expect(page).toContain('<b class="bad">✗ failed</b>');
    expect(page).toContain('<span>exit status 3</span>');
    expect(page).toContain('<a href="https://ci.example/7" ');
    expect(await printed(`job log ${job} --format html`, options)).toBe(page);
    await server.finish();
    expect(await printed(`job log ${byId} --format html`, options)).toBe(page);
  },
);

test.each<[string, number | null]>([
  ['a job that runs', null],
  ['a job that ended half a minute ago', minute / 2],
])('does not cache the log of %s', async (_, ago) => {
  const { url } = await serve([log, look(ago), log, look(ago)]);
  const options = user(await useHome(), url);
  const line = `job log ${byId}`;
  expect([await printed(line, options), await printed(line, options)]).toEqual([text, text]);
});

test('does not cache the log of a job that cannot be read', async () => {
  const denied: Exchange = { path: /builds\/7/, answer: { status: 403, json: { message: 'no' } } };
  const { url } = await serve([log, denied, log, denied]);
  const options = user(await useHome(), url);
  const line = `job log ${byId}`;
  expect([await printed(line, options), await printed(line, options)]).toEqual([text, text]);
});

test('does not cache a log that is not read to its end', async () => {
  const { url } = await serve([log, log, look()]);
  const options = user(await useHome(), url);
  expect(await printed(`job log ${byId} --format raw --head 1`, options)).toBe('one\n');
  expect(await printed(`job log ${byId}`, options)).toContain('last');
});

test('another token cannot read the cache', async () => {
  const { url } = await serve([
    ...[log, look()],
    { path: log.path, answer: { status: 403, json: { message: 'Forbidden' } } },
  ]);
  const home = await useHome();
  await printed(`job log ${byId}`, user(home, url));
  const { exitCode, stdout } = await cictl(['job', 'log', byId], user(home, url, 'other'));
  expect([exitCode, stdout]).toEqual([6, '']);
});

test('--no-cache neither writes nor reads', async () => {
  const { url } = await serve([log, log, look(), log]);
  const home = await useHomeWithoutCache();
  const options = user(home, url);
  await printed(`job log ${byId} --no-cache`, options);
  expect(await readdir(home.cacheDir).catch(() => [])).toEqual([]);
  await printed(`job log ${byId}`, options);
  expect(await printed(`job log ${byId} --no-cache`, options)).toContain('two');
});

test('delete-log removes the log', async () => {
  const { url } = await serve([log, look(), remove, { ...log, answer: { status: 404, json: {} } }]);
  const options = user(await useHome(), url);
  await printed(`job log ${byId}`, options);
  await printed(`job delete-log ${byId} --yes`, options);
  expect((await cictl(['job', 'log', byId], options)).exitCode).toBe(7);
});

test('token revoke removes what the token has read', async () => {
  const revoke: Exchange = { method: 'DELETE', path: '/v2/access-token', answer: { status: 204 } };
  const { url } = await serve([log, look(), revoke, log, look()]);
  const options = user(await useHome(), url);
  await printed(`job log ${byId}`, options);
  await printed('token revoke --yes', options);
  expect(await printed(`job log ${byId}`, options)).toContain('two');
});

test('an unwritable cache changes nothing', async () => {
  const { url } = await serve([log]);
  const options = user(await useHome(), url);
  const env = { ...options.env, CICTL_CACHE_DIR: '/dev/null/cache' };
  expect(await printed(`job log ${byId}`, { ...options, env })).toBe('one\ntwo\nlast');
});
