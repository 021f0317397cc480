/** `job log --failed` reports every failed job, whatever the service sends for it. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { against } from '../support/against.ts';
import type { CannedResponse, Exchange } from '../support/server.ts';

const build = '/v2/organizations/acme/pipelines/web/builds/7';

const jobs = (...ids: readonly (string | null | undefined)[]): Exchange => ({
  path: build,
  answer: {
    json: {
      jobs: ids.map((id, at) => ({ id, type: 'script', name: `job ${at + 1}`, state: 'failed' })),
    },
  },
});
const log = (id: string, answer: CannedResponse): Exchange => ({
  path: `${build}/jobs/${id}/log.txt`,
  answer,
});
const noLog = (id: string, message = 'Not Found'): Exchange =>
  log(id, { status: 404, json: { message } });

const run = (exchanges: readonly Exchange[], ...args: string[]) =>
  against(exchanges, ['job', 'log', '--failed', '--build', 'web/7', '--no-cache', ...args]);

test.each(['No job found', 'Not Found', 'No log found'])(
  'reports a job without a log in its place if the service says %j',
  async (message) => {
    const exchanges = [jobs('a', 'b', 'c'), log('a', { body: '1\n' }), noLog('b', message)];
    const { exitCode, stdout, stderr } = await run([...exchanges, log('c', { body: '3' })]);
    expect([exitCode, stdout]).toEqual([
      7,
      '==> job 1 (a) <==\n1\n==> job 2 (b) <==\n(cannot read the log of job acme/web/7#b: it has no log)\n==> job 3 (c) <==\n3',
    ]);
    expect(stderr).toBe(
      'cannot read the log of job acme/web/7#b: it has no log\n' +
        'cictl: 1 of 3 logs could not be read\n',
    );
  },
);

test('reports the same for a single job', async () => {
  const { exitCode, stdout, stderr } = await run([jobs('a'), noLog('a', 'No job found')]);
  expect([exitCode, stdout]).toEqual([
    7,
    '==> job 1 (a) <==\n(cannot read the log of job acme/web/7#a: it has no log)\n',
  ]);
  expect(stderr).toBe('cictl: cannot read the log of job acme/web/7#a: it has no log\n');
});

test('passes on other messages of the service', async () => {
  const { stderr } = await run([jobs('a'), noLog('a', 'Log expired')]);
  expect(stderr).toContain('#a: it has no log (Log expired)');
});

test('a build that was deleted is not a job without a log', async () => {
  const { exitCode, stdout, stderr } = await run([jobs('a'), noLog('a', 'No build found')]);
  expect(exitCode).toBe(7);
  expect(stdout + stderr).toContain('build acme/web/7 was not found');
  expect(stdout + stderr).not.toContain('no log');
});

const unusable = [
  '',
  null,
  undefined,
  '.',
  '..',
  '../x',
  'a/b',
  'a?b',
  'a#b',
  '\u001b[2J',
  '\ud800',
];

test('continues after jobs whose ids cannot be in a URL', async () => {
  const { exitCode, stdout, stderr } = await run([
    jobs('a', ...unusable, 'z'),
    log('a', { body: '1\n' }),
    log('z', { body: 'last\n' }),
  ]);
  const places = stdout.split(/^(?===> )/m);
  expect(exitCode).toBe(9);
  expect(places).toHaveLength(unusable.length + 2);
  expect(places.at(0)).toBe('==> job 1 (a) <==\n1\n');
  expect(places.at(-1)).toBe('==> job 13 (z) <==\nlast\n');
  for (const place of places.slice(1, -1))
    expect(place).toMatch(
      /^==> job \d+ \(.*\) <==\n\(cannot read the log of "job \d+": the service sent a job with.* id.*\)\n$/,
    );
  expect(stdout + stderr).not.toContain('\u001b');
  expect(stderr).toContain(
    'cannot read the log of "job 7": the service sent a job with the id "../x"',
  );
  expect(stderr).toContain('cictl: 11 of 13 logs could not be read');
});

const long = 'x'.repeat(3000);

test('requests jobs with unusual ids unchanged', async () => {
  const { exitCode, stdout, stderr } = await run([
    jobs('a b', 'é%', long, '7'),
    log('a%20b', { body: '1\n' }),
    log('%C3%A9%25', { body: '2\n' }),
    log(long, { body: '3\n' }),
    log('7', { body: '4\n' }),
  ]);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout.match(/^\d$/gm)).toEqual(['1', '2', '3', '4']);
});

test('continues after an id that the service rejects', async () => {
  const { exitCode, stdout } = await run([
    jobs(long, 'b'),
    log(long, { status: 414, json: { message: 'URI Too Long' } }),
    log('b', { body: '2\n' }),
  ]);
  expect(exitCode).toBe(8);
  expect(stdout).toMatch(
    /^==> job 1 .*\n\(cannot read .*URI Too Long\)\n==> job 2 \(b\) <==\n2\n$/,
  );
});

test('-O writes each log to its own file, with a portable name', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'cictl-log-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const ids = ['a', 'A', 'a b', 'ab', 'é', 'ü', long, `${long}y`, '..', null, 'b', 'c'];
  const logs = ids
    .filter((id) => id !== null && id !== '..')
    .map((id, at) =>
      id === 'b' ? noLog('b') : log(encodeURIComponent(id ?? ''), { body: `${at}\n` }),
    );
  const { exitCode, stdout, stderr } = await against(
    [jobs(...ids), ...logs],
    ['job', 'log', '--failed', '--build', 'web/7', '--no-cache', '-O', 'logs'],
    { cwd },
  );
  expect([exitCode, stdout]).toEqual([9, '']);
  expect(stderr).toContain('#b: it has no log');
  expect(stderr).toContain('cictl: 3 of 12 logs could not be read');
  const names = await readdir(join(cwd, 'logs'));
  const contents = await Promise.all(
    names.map((name) => readFile(join(cwd, 'logs', name), 'utf8')),
  );
  expect(contents.map(Number).sort((one, other) => one - other)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 9,
  ]);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(9);
  for (const name of names) expect(name).toMatch(/^job-\d+-[\w-]{1,80}\.log$/);
  expect(names).toContain('job-1-a.log');
});

test.each([['--json'], ['--format', 'json']])(
  '%s %s prints the existing objects',
  async (...flags) => {
    const object = (id: string): Exchange => ({
      path: `${build}/jobs/${id}/log`,
      answer: { body: `{"content":"${id}"}` },
    });
    const missing = { ...noLog('b'), path: `${build}/jobs/b/log` };
    const exchanges = [jobs('a', 'b', null, 'd'), object('a'), missing, object('d')];
    const { exitCode, stdout, stderr } = await run(exchanges, ...flags);
    expect([exitCode, stdout]).toEqual([9, '{"content":"a"}\n{"content":"d"}\n']);
    expect(stderr).toContain('#b: it has no log');
    expect(stderr).toContain('without an id');
    if (flags.length > 1) return;
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { error: object };
    expect(error).toMatchObject({ code: 9, message: '2 of 4 logs could not be read' });
  },
);

test('--jq gets each object', async () => {
  const object = (id: string): Exchange => ({
    path: `${build}/jobs/${id}/log`,
    answer: { body: `{"content":"${id}\\n"}` },
  });
  const { stdout } = await run([jobs('a', 'b'), object('a'), object('b')], '--jq', '.content');
  expect(stdout).toBe('a\n\nb\n\n');
});

const red = '\u001b[31m';
const reset = '\u001b[0m';

test.each([
  [`${red}red\n`, `${red}red${reset}\n`],
  [`${red}red\n${reset}`, `${red}red${reset}\n`],
  [`${red}red`, `${red}red${reset}\n`],
  [`${red}red${reset}\n`, `${red}red${reset}\n`],
  [`${red}a\nb\n\n`, `${red}a\nb${reset}\n\n`],
])('--format ansi of %j leaves no reset on its own line', async (body, expected) => {
  const exchanges = [jobs('a', 'b'), log('a', { body }), log('b', { body })];
  const { stdout } = await run(exchanges, '--format', 'ansi');
  const last = body.endsWith('red') ? expected.slice(0, -1) : expected;
  expect(stdout).toBe(`==> job 1 (a) <==\n${expected}==> job 2 (b) <==\n${last}`);
});

test('neither does --grep', async () => {
  const exchanges = [jobs('a'), log('a', { body: `${red}red\n${reset}` })];
  const { stdout } = await run(exchanges, '--format', 'ansi', '--grep', '');
  expect(stdout).toBe(`==> job 1 (a) <==\n${red}red${reset}\n`);
});
