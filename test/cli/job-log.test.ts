/** `job log` with another service. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve, type CannedResponse, type Exchange } from '../support/server.ts';
import { sampled } from '../support/full.ts';

const id = '0190046e-e199-453b-a302-a21a4d649d31';
const build = '/v2/organizations/acme/pipelines/web/builds/7';
const logPath = `${build}/jobs/${id}/log`;

async function log(args: readonly string[], exchanges: readonly Exchange[], cwd?: string) {
  const { url } = await serve(exchanges);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 'token-of-a-test', CICTL_ORG: 'acme' };
  return cictl(['job', 'log', '--no-cache', ...args], { env, ...(cwd !== undefined && { cwd }) });
}

const job = `web/7#${id}`;
const text = (body: string | Uint8Array, more: CannedResponse = {}): Exchange => ({
  path: `${logPath}.txt`,
  headers: { accept: 'text/plain' },
  answer: { headers: { 'content-type': 'text/plain' }, body, ...more },
});

const mark = (time: number): string => `\x1b_bk;t=${time}\x07`;
const content = `${mark(1_700_000_000_000)}--- one\r\n\x1b[31mred\x1b[0m 1%\rred 100%\n${mark(1_700_000_001_500)}+++ two\nlast`;

sampled.each([
  [[], '--- one\nred 100%\n+++ two\nlast'],
  [['--format', 'text'], '--- one\nred 100%\n+++ two\nlast'],
  [['--format', 'ansi'], '--- one\nred 100%\n+++ two\nlast'],
  [['--format', 'raw'], content],
  [['--format', 'raw', '--head', '1'], content.slice(0, content.indexOf('\n') + 1)],
  [['--head', '2'], '--- one\nred 100%\n'],
  [['--grep', 'RED', '-i'], 'red 100%\n'],
  [['--grep', 'red', '-v'], '--- one\n+++ two\nlast'],
  [['--grep', 'red', '-C', '1'], '--- one\nred 100%\n+++ two\n'],
  [['--grep', 'o', '-A', '0'], '--- one\n--\n+++ two\n'],
  [['--grep', 'nothing'], ''],
  [['--timestamps', 'utc', '--head', '1'], '2023-11-14T22:13:20.000Z --- one\n'],
  [['--timestamps', 'elapsed', '--grep', 'two'], '00:00:01.500 +++ two\n'],
])('prints %j', async (args, expected) => {
  const { stdout, stderr, exitCode } = await log([job, ...args], [text(content)]);
  expect([exitCode, stdout, stderr]).toEqual([0, expected, '']);
});

sampled.each([
  [['\\bber'], ''],
  [['\\b試\\b'], 'a 試\n'],
  [['^\\w+$'], 'über\ne\u0301\nÜBER\n'],
  [['\\büber\\b', '-i'], 'über\nÜBER\n'],
  [['é|[^\\w ]', '-v'], 'über\na 試\ne\u0301\nÜBER\n'],
])('--grep %j knows the letters of all scripts', async (args, expected) => {
  const letters = 'über\na 試\ne\u0301\nÜBER\n→ x\n';
  const { stdout, stderr } = await log([job, '--grep', ...args], [text(letters)]);
  expect([stdout, stderr]).toEqual([expected, '']);
});

test.skipIf(!hasTerminal).each([
  [{}, '\x1b[31mred\x1b[0m title'],
  [{ NO_COLOR: '1' }, 'red title'],
])('on a terminal, with %j prints %j', async (more, expected) => {
  const { url } = await serve([text('\x1b[31mred\x1b[0m\x1b]0;title\x07 title\x1b[6n\n')]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 'token-of-a-test', CICTL_ORG: 'acme' };
  const options = { home: await useHome(), env: { ...env, CICTL_PAGER: '', ...more } };
  const { screen } = await cictlInTerminal(['job', 'log', job, '--no-cache'], options);
  expect(screen).toBe(`${expected}\r\n`);
});

test('raw is identical to what the service sent', async () => {
  const bytes = Buffer.from('a\xff\xfe\x00\x1b]0;t\x07\r\nb', 'latin1');
  const { bytes: printed } = await log([job, '--format', 'raw'], [text(bytes)]);
  expect(Buffer.from(printed).equals(bytes)).toBe(true);
});

const json = `{"url":"u","content":"a\\nb","size":3,"header_times":[1700000000123456789],"more":null}`;
const object = { path: logPath, headers: { accept: 'application/json' }, answer: { body: json } };

sampled.each([['--format', 'json'], ['--json'], ['-o', 'json']])(
  '%s %s gives the object as it came',
  async (...flags) => {
    const { stdout } = await log([job, ...flags], [object]);
    expect(stdout).toBe(`${json}\n`);
  },
);

test('--jq works on the object', async () => {
  const { stdout } = await log(
    [job, '--jq', '.header_times[0], .content'],
    [{ path: logPath, answer: { body: json } }],
  );
  expect(stdout).toBe('1700000000123456789\na\nb\n');
});

const buildOf = (job: object): Exchange => ({
  path: `${build}?include_retried_jobs=true`,
  answer: { json: { number: 7, jobs: [{ id, ...job }] } },
});

test('html is a standalone page that names its job', async () => {
  const failed = {
    ...{ type: 'script', name: ':rocket: Deploy', state: 'failed', exit_status: 1 },
    started_at: '2026-11-20T10:00:00.000Z',
    finished_at: '2026-11-20T10:02:03.500Z',
    web_url: `https://ci.example/acme/web/builds/7#${id}`,
  };
  const { stdout, stderr } = await log(
    [job, '--format', 'html'],
    [buildOf(failed), text('--- a\n--- b\n\x1b[31m<b>\x1b[0m\n')],
  );
  expect(stdout).toMatch(/^<!doctype html>/);
  const head = /<header>([^]*)<\/header>/
    .exec(stdout)?.[1]
    ?.replace(/<[^>]*>/g, '')
    .trim();
  expect(head?.split('\n')).toEqual([
    '🚀 Deploy',
    '✗ failed',
    'acme/web/7',
    '2m 3s',
    'exit status 1',
    '2026-11-20 10:00:00 UTC',
    'times in UTC',
  ]);
  expect(stdout).toContain(`<title>acme/web/7#${id}</title>`);
  expect(stdout).toContain(`<a href="https://ci.example/acme/web/builds/7#${id}" `);
  expect(stdout).toContain('<span style="color:var(--c1)">&lt;b&gt;</span>');
  expect(stdout.match(/<details( open)?>/g)).toEqual(['<details>', '<details open>']);
  expect(stderr).toBe('');
});

sampled.each([
  ['state', { type: 'script', name: 'T', state: 'passed' }, ['T', '✓ passed', 'acme/web/7']],
  ['nothing', {}, [id, 'acme/web/7']],
])('the head of a page has what is known of a job: %s', async (_, known, expected) => {
  const { stdout } = await log([job, '--format', 'html'], [buildOf(known), text('x\n')]);
  const head = /<header>([^]*)<\/header>/
    .exec(stdout)?.[1]
    ?.replace(/<[^>]*>/g, '')
    .trim();
  expect(head?.split('\n')).toEqual([...expected, 'times in UTC']);
});

sampled.each([
  ['refused', { status: 403, json: { message: 'no' } }],
  ['not there', { status: 404, json: { message: 'no' } }],
])('a page is made also where the job is %s', async (_, answer) => {
  const exchanges = [{ ...buildOf({}), answer }, text('x\n')];
  const { stdout, stderr, exitCode } = await log([job, '--format', 'html'], exchanges);
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`<h1>acme/web/7#${id}</h1>\n<p><span>acme/web/7</span>`);
  expect(stdout).toContain('>x</div>\n');
});

sampled.each([
  [['--tail', '1'], '--tail 1'],
  [['--head', '2', '--tail', '0'], '--head 2 --tail 0'],
  [['--grep', '<b> x', '-v', '-i', '-A', '1', '-B', '0'], "--grep '<b> x' -A 1 -B 0 -i -v"],
  [['--group', 'set', '-C', '3', '--grep', 'x'], '--group set --grep x -C 3'],
])('a page of a part says which it is: %j', async (flags, part) => {
  const exchanges = [buildOf({}), ...(flags[0] === '--group' ? [text('--- set up\nx\n')] : [])];
  const { stdout } = await log(
    [job, '--format', 'html', ...flags],
    [...exchanges, text('--- set up\nx\n')],
  );
  const said = part.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll("'", '&#39;');
  expect(stdout).toContain(
    `<span>excerpt, lines numbered from 1: ${said}</span>\n<span>times in UTC</span>`,
  );
});

test('a page of the whole log mentions no range', async () => {
  const { stdout } = await log([job, '--format', 'html'], [buildOf({}), text('x\n')]);
  expect(stdout).not.toContain('a part');
});

sampled.each(['hang', 'stall'] as const)(
  'a page asks once and briefly for a job of which the service says nothing (%s)',
  async (fault) => {
    const silent = { ...buildOf({}), answer: { json: { number: 7, jobs: [] }, fault } };
    const args = [job, '--format', 'html', '--request-timeout', '1s'];
    const { stdout, stderr, exitCode } = await log(args, [silent, text('x\n')]);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`<h1>acme/web/7#${id}</h1>`);
    expect(stdout).toContain('>x</div>\n');
  },
);

test("--server requests the service's rendering", async () => {
  const exchange = {
    path: `${logPath}.html`,
    headers: { accept: 'text/html' },
    answer: { body: '<pre>x</pre>' },
  };
  expect((await log([job, '--format', 'html', '--server'], [exchange])).stdout).toBe(
    '<pre>x</pre>',
  );
});

test('--groups uses the timestamps in the log', async () => {
  const jobs = [{ id, finished_at: '2023-11-14T22:13:25Z' }];
  const { stdout } = await log(
    [job, '--groups'],
    [{ path: build, answer: { json: { jobs } } }, text(content)],
  );
  expect(stdout).toBe('one\t2023-11-14T22:13:20.000Z\t1.5s\ntwo\t2023-11-14T22:13:21.500Z\t0s\n');
});

test('--groups requests header times if there are no timestamps', async () => {
  const jobs = [{ id, finished_at: '2023-11-14T22:13:25Z' }];
  const { stdout } = await log(
    [job, '--groups'],
    [
      { path: build, answer: { json: { jobs } } },
      text('--- one\n'),
      { path: logPath, answer: { body: json } },
    ],
  );
  expect(stdout).toBe('one\t2023-11-14T22:13:20.123456789Z\t4.876543211s\n');
});

sampled.each([
  ['one', '--- one\nred 100%\n'],
  ['tw', '+++ two\nlast'],
])('--group %s prints one section', async (name, expected) => {
  const { stdout } = await log([job, '--group', name], [text(content), text(content)]);
  expect(stdout).toBe(expected);
});

sampled.each([
  ['none', 7, 'the log has no section "none"'],
  ['o', 2, 'several sections contain "o"'],
])('--group %s is code %d', async (name, code, message) => {
  const { stderr, exitCode } = await log([job, '--group', name], [text(content)]);
  expect([exitCode, stderr]).toEqual([code, expect.stringContaining(message)]);
});

const many = Array.from({ length: 60_000 }, (_, index) => `line ${index}\n`).join('');
const suffix = many.slice(-256 * 1024);
const part = {
  status: 206,
  headers: {
    'content-range': `bytes ${many.length - suffix.length}-${many.length - 1}/${many.length}`,
  },
};
const ranged = (size: number) => ({ headers: { range: `bytes=-${size}` } });

sampled.each(['text', 'raw'])(
  '--tail of %s reads the end alone where there are ranges',
  async (format) => {
    const exchange = { ...text(suffix, part), ...ranged(256 * 1024) };
    const { stdout } = await log([job, '--format', format, '--tail', '2'], [exchange]);
    expect(stdout).toBe('line 59998\nline 59999\n');
  },
);

test('--tail works with a service without ranges', async () => {
  const { stdout } = await log([job, '--tail', '2'], [{ ...text(many), ...ranged(256 * 1024) }]);
  expect(stdout).toBe('line 59998\nline 59999\n');
});

test('--tail reads more if the end has too few lines', async () => {
  const { stdout } = await log(
    [job, '--tail', '40000'],
    [text(suffix, part), { ...text(many), ...ranged(4 * 1024 * 1024) }],
  );
  expect(stdout).toBe(many.slice(many.indexOf('line 20000\n')));
});

test('-O writes a file, and nothing if the log breaks off', async () => {
  const cwd = await folder();
  expect((await log([job, '-O', 'a.log'], [text('a\r\n')], cwd)).stdout).toBe('');
  const broken = { path: /log/, answer: { body: 'x'.repeat(100), fault: 'truncate' as const } };
  const { exitCode } = await log([job, '-O', 'b.log'], [broken], cwd);
  expect([exitCode, await readdir(cwd)]).toEqual([9, ['a.log']]);
  expect(await readFile(join(cwd, 'a.log'), 'utf8')).toBe('a\n');
});

test('-O - is standard output, with --failed too; ./- is a file of that name', async () => {
  const cwd = await folder();
  const printed = await log([job, '-O', '-'], [text('a\r\n')], cwd);
  expect(printed).toMatchObject({ exitCode: 0, stdout: 'a\n', stderr: '' });
  const jobs = {
    path: build,
    answer: { json: { jobs: [{ id, type: 'script', state: 'failed' }] } },
  };
  const all = await log(['--failed', '--build', 'web/7', '-O', '-'], [jobs, text('a\n')], cwd);
  expect(all.stdout).toMatch(/^==> .* <==\na\n$/);
  const page = await log(['--failed', '--build', 'web/7', '--format', 'html', '-O', '-'], [], cwd);
  expect([page.exitCode, page.stderr]).toEqual([
    2,
    expect.stringContaining('give a directory with --out'),
  ]);
  expect(await readdir(cwd)).toEqual([]);
  await log([job, '-O', './-'], [text('a\n')], cwd);
  expect(await readdir(cwd)).toEqual(['-']);
});

test('-O without a name exits with 2', async () => {
  const { exitCode, stderr } = await log([job, '-O', ''], []);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--out requires a file')]);
});

test('-O in a missing directory exits with 10', async () => {
  const { exitCode, stderr } = await log([job, '-O', 'no/a.log'], [text('a\n')]);
  expect([exitCode, stderr]).toEqual([
    10,
    expect.stringContaining('cannot write no/a.log: no such directory'),
  ]);
});

const failed = {
  path: build,
  answer: {
    json: {
      jobs: [
        { id: 'a', type: 'script', name: 'Unit / tests', state: 'failed' },
        { id: 'b', type: 'script', name: 'soft', state: 'failed', soft_failed: true },
        { id: 'c', type: 'script', name: 'lint\x1b[2J', state: 'timed_out' },
      ],
    },
  },
};
const logsOfFailed = [
  { path: `${build}/jobs/a/log.txt`, answer: { body: 'one' } },
  { path: `${build}/jobs/c/log.txt`, answer: { body: 'two\n' } },
];

test('--failed prints the log of every failed job after a header', async () => {
  const { stdout } = await log(['--failed', '--build', 'web/7'], [failed, ...logsOfFailed]);
  expect(stdout).toBe('==> Unit / tests (a) <==\none\n==> lint (c) <==\ntwo\n');
});

test('--failed -O writes a file for each', async () => {
  const cwd = await folder();
  await log(['--failed', '--build', 'web/7', '-O', 'logs'], [failed, ...logsOfFailed], cwd);
  expect(await readdir(join(cwd, 'logs'))).toEqual(['lint-c.log', 'unit-tests-a.log']);
});

test('--failed --format html -O writes a page for each, without requesting a job again', async () => {
  const cwd = await folder();
  const args = ['--failed', '--build', 'web/7', '--format', 'html', '-O', 'logs'];
  await log(args, [failed, ...logsOfFailed], cwd);
  expect(await readdir(join(cwd, 'logs'))).toEqual(['lint-c.html', 'unit-tests-a.html']);
  const head = async (name: string): Promise<string | undefined> =>
    /<h1>.*<b class="bad">.*<\/b>/s.exec(await readFile(join(cwd, 'logs', name), 'utf8'))?.[0];
  expect(await head('lint-c.html')).toBe('<h1>lint</h1>\n<p><b class="bad">✗ timed out</b>');
  expect(await head('unit-tests-a.html')).toContain('<h1>Unit / tests</h1>');
});

const noLogAtFirst = [
  failed,
  { path: `${build}/jobs/a/log.txt`, answer: { status: 404, json: { message: 'No log' } } },
  { path: `${build}/jobs/c/log.txt`, answer: { body: 'two\n' } },
];

test('--failed prints the other logs if one cannot be read, and exits with its code', async () => {
  const { stdout, stderr, exitCode } = await log(['--failed', '--build', 'web/7'], noLogAtFirst);
  const place = '(cannot read the log of job acme/web/7#a: it has no log (No log))';
  expect([exitCode, stdout]).toEqual([
    7,
    `==> Unit / tests (a) <==\n${place}\n==> lint (c) <==\ntwo\n`,
  ]);
  expect(stderr).toMatch(/the log of job acme\/web\/7#a: .*No log/);
  expect(stderr).toContain('cictl: 1 of 2 logs could not be read');
});

test('--failed -O writes the other logs if one cannot be read', async () => {
  const cwd = await folder();
  const args = ['--failed', '--build', 'web/7', '-O', 'logs'];
  const { exitCode } = await log(args, noLogAtFirst, cwd);
  expect([exitCode, await readdir(join(cwd, 'logs'))]).toEqual([7, ['lint-c.log']]);
});

test('--failed starts a new line after a log that broke off', async () => {
  const { stdout, exitCode } = await log(
    ['--failed', '--build', 'web/7', '--format', 'raw'],
    [
      failed,
      {
        path: `${build}/jobs/a/log.txt`,
        answer: { body: 'x'.repeat(100), fault: 'truncate' as const },
      },
      ...logsOfFailed.slice(1),
    ],
  );
  expect(exitCode).toBe(9);
  expect(stdout).toMatch(/^==> Unit \/ tests \(a\) <==\nx*\n?==> lint \(c\) <==\ntwo\n$/);
});

sampled.each([
  [['--format', 'raw', '--timestamps', 'utc'], '--format raw and --timestamps'],
  [['--format', 'html', '--groups'], '--format html and --groups'],
  [['--json', '--groups'], '--format json and --groups'],
  [['--format', 'json', '--tail', '1'], '--format json and --tail'],
  [['--json', '--format', 'text'], '--json and --format text'],
  [['-o', 'yaml'], '-o yaml'],
  [['--server'], '--server requires --format html'],
  [['-A', '1'], '-A requires --grep'],
  [['--grep', '('], '--grep is not a valid regular expression'],
  [['--tail', '-1'], '--tail'],
  [['--failed'], 'JOB and --failed'],
])('%j is refused', async (args, message) => {
  const { stderr, exitCode } = await log([job, ...args], []);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
});

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cictl-log-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test.skipIf(!hasTerminal)(
  'a terminal shows headers with emojis, a pipe with their names',
  async () => {
    const lines = '--- :rocket: Deploy\nsay :rocket:\n';
    expect((await log([job], [text(lines)])).stdout).toBe(lines);
    const { url } = await serve([text(lines)]);
    const { screen } = await cictlInTerminal(['job', 'log', '--no-cache', job], {
      home: await useHome(),
      env: { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme' },
    });
    expect(screen).toContain('--- 🚀 Deploy');
    expect(screen).toContain('say :rocket:');
  },
);
