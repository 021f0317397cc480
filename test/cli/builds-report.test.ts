/** `builds report` against a service that counts requests. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Job } from '../../src/api/resources/job.ts';
import type { BuildReport } from '../../src/commands/builds/report/resource.ts';
import { cictl, type CliOptions } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { sampled } from '../support/full.ts';

const base = '/v2/organizations/acme/pipelines/web/builds/7';
const token = 'secret-token-of-a-test';

const at = (second: number): string =>
  new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString();

const job = (id: string, state: string, more: Job = {}): Job => ({
  ...{ id, type: 'script', name: `${id} tests`, step_key: id, state },
  ...{ created_at: at(0), scheduled_at: at(0), runnable_at: at(0) },
  ...{ started_at: at(2), finished_at: at(7), web_url: `https://ci.example/acme/web/7#${id}` },
  ...(state === 'failed' && { exit_status: 1 }),
  ...more,
});

const failedBuild = [
  job('unit', 'failed'),
  job('lint', 'passed'),
  job('deploy', 'passed', { runnable_at: at(7), started_at: at(8), finished_at: at(30) }),
  job('image', 'broken', { started_at: null, finished_at: null, runnable_at: null }),
];

interface Served {
  readonly jobs?: readonly Job[];
  readonly build?: object;
  readonly annotations?: readonly object[];
  /** By job ID. */
  readonly logs?: Readonly<Record<string, string>>;
}

/** Serves the requested range of a log, or 404 if there is none. */
async function serve({ jobs = failedBuild, build = {}, annotations = [], logs = {} }: Served) {
  const requests: string[] = [];
  const ranges: string[] = [];
  const server = createServer(({ url = '', headers }, out) => {
    const path = url.replace(base, '');
    requests.push(path);
    if (headers.range !== undefined) ranges.push(headers.range);
    const json = (status: number, value: unknown): void => {
      out.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    const message = 'Fix <script>alert(1)</script>';
    if (path === '?include_retried_jobs=true')
      json(200, {
        number: 7,
        created_at: at(0),
        state: 'failed',
        message,
        branch: 'main',
        jobs,
        ...build,
      });
    else if (path.startsWith('/annotations')) json(200, annotations);
    else {
      const log = logs[/^\/jobs\/(.*)\/log\.txt$/.exec(path)?.[1] ?? ''];
      if (log === undefined) json(404, { message: 'No log found' });
      else giveEnd(out, Buffer.from(log), headers.range);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: token, CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' };
  return { env, requests, ranges };
}

function giveEnd(out: ServerResponse, bytes: Buffer, range: string | undefined): void {
  const first = Math.max(0, bytes.length - Number(range?.replace('bytes=-', '')));
  const part = `bytes ${first}-${bytes.length - 1}/${bytes.length}`;
  out.writeHead(206, { 'content-type': 'text/plain', 'content-range': part });
  out.end(bytes.subarray(first));
}

const report = (args: readonly string[], options: CliOptions) =>
  cictl(['builds', 'report', 'web/7', ...args], options);

const numbered = (name: string, count: number): string =>
  Array.from({ length: count }, (_, line) => `${name} ${line}\n`).join('');

/** The elements of the logs, by job ID. */
const logsOf = (html: string): ReadonlyMap<string, string> =>
  new Map(
    html
      .split('<details class="report-log" id="log-')
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('"')), part.split('<footer')[0] ?? '']),
  );

test('writes one page with failures and reasons, which loads and runs nothing', async () => {
  const { env, requests } = await serve({
    logs: { unit: '--- Set up\nfine\n+++ Tests\nexpected <b>4</b>, got 5\n' },
  });
  const { stdout, stderr, exitCode } = await report([], { env });
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(requests.sort()).toEqual([
    '/annotations?per_page=100',
    '/jobs/unit/log.txt',
    '?include_retried_jobs=true',
  ]);
  expect(stdout).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(stdout).toContain(
    `content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;`,
  );
  expect(stdout).not.toMatch(/<(?:script|img|link|iframe|object|form)\b|\ssrc=|url\(|@import/i);
  expect(stdout).toContain('Fix &lt;script&gt;');
  expect(stdout).toContain('>2026-11-20 10:00:00 UTC</time>');
  expect(stdout).toMatch(/<mark>.*expected &lt;b&gt;4&lt;\/b&gt;, got 5/);
  expect(logsOf(stdout).get('unit')).toMatch(/<details open><summary id="l0-3">.*Tests<\/summary>/);
  expect(stdout.trimEnd()).toMatch(/<\/main><\/body><\/html>$/);
});

sampled.each([
  ['none', []],
  ['failed', ['unit']],
  ['all', ['unit', 'lint', 'deploy']],
])('--logs %s asks for those logs, each once', async (which, wanted) => {
  const logs = { unit: 'wrong\n', lint: 'fine\n', deploy: 'done\n' };
  const { env, requests } = await serve({ logs });
  const { stdout } = await report(['--logs', which], { env });
  expect([...logsOf(stdout).keys()]).toEqual(wanted);
  const asked = requests.filter((path) => path.startsWith('/jobs/'));
  expect(asked.sort()).toEqual(wanted.map((id) => `/jobs/${id}/log.txt`).sort());
});

test('logs share the budget: a noisy one keeps its end, the others everything', async () => {
  const loud = numbered('loud', 100_000);
  const { env } = await serve({ logs: { unit: loud, lint: 'fine\n', deploy: loud } });
  const { stdout } = await report(['--logs', 'all', '--max-bytes', '50000'], { env });
  const logs = logsOf(stdout);
  expect(logs.get('lint')).toContain('fine</div>');
  for (const id of ['unit', 'deploy']) {
    const log = logs.get(id) ?? '';
    expect(log).toContain('loud 99999</div>');
    expect(log).not.toContain('loud 90000</div>');
    expect(log).toMatch(/Showing only the last \d+ lines, numbered from 1 of 1\.\d MB/);
    expect(log).toContain(`<code>cictl job log acme/web/7#${id}</code>`);
    expect(log.length).toBeGreaterThan(15_000);
  }
  expect(stdout.length).toBeLessThan(80_000);
});

sampled.each([5000, 50_000])(
  'what failed and its log are within %d bytes as markup too',
  async (most) => {
    const line = (at: number) => `\x1b[3${1 + (at % 6)}mError: ${at} <${'&<'.repeat(40)}>\x1b[0m\n`;
    const log = `+++ Tests\n${Array.from({ length: 3000 }, (_, at) => line(at)).join('')}`;
    const { env } = await serve({ logs: { unit: log } });
    const sizeWith = async (bytes: number): Promise<number> =>
      (await report(['--max-bytes', String(bytes)], { env })).stdout.length;
    const [frame, size] = [await sizeWith(0), await sizeWith(most)];
    // A few notes in addition to the lines.
    expect(size - frame).toBeLessThan(most + 1000);
    expect(size - frame).toBeGreaterThan(most / 2);
  },
);

test('failures have the colors of the log, as classes only', async () => {
  const hostile = '\x1b[31m<b onclick="x()">\x1b[1m&\x1b]8;;javascript:x()\x07link\x1b]8;;\x07';
  const log = `+++ Tests\n\x1b[32mfine\x1b[0m\n\x1b[38;5;208mError:\x1b[0m expected 4\n${hostile}\x1b[5;8mhidden\x1b[3;3H\x1b[2J\n`;
  const { env } = await serve({ logs: { unit: log } });
  const { stdout } = await report([], { env });
  const lines = /<pre>.*?<\/pre>/s.exec(stdout)?.[0] ?? '';
  expect(lines).toContain('<span class="ink-2">fine</span>');
  expect(lines).toMatch(/<mark><bdi><span class="ink-3">Error:<\/span> expected 4<\/bdi><\/mark>/);
  expect(lines).toContain('<span class="ink-1">&lt;b onclick=&quot;x()&quot;&gt;');
  expect(lines).toContain('link');
  expect(lines).not.toMatch(/ style=|javascript:|\x1b|<a\b/);
  expect(stdout).toContain('.ink-1{color:var(--c1)}');
});

test('says of each log if there is no room', async () => {
  const { env } = await serve({ logs: { unit: 'wrong\n' } });
  const { stdout } = await report(['--max-bytes', '0'], { env });
  const log = logsOf(stdout).get('unit');
  expect(log).toContain('The log is omitted because the report is full.');
  expect(log).toContain('<code>cictl job log acme/web/7#unit</code>');
  expect(log).not.toContain('wrong');
});

test('says how a failed job ended, on earlier attempts too', async () => {
  const jobs = [
    job('first', 'failed', { exit_status: 9, retried: true, retried_in_job_id: 'again' }),
    job('again', 'failed', { exit_status: -1, signal: 'SIGKILL' }),
  ];
  const { env } = await serve({ jobs, logs: { again: '+++ Tests\nwrong\n' } });
  const { stdout } = await report([], { env });
  expect(stdout).toContain(
    'exit status -1, signal SIGKILL; retried once; before: failed, exit status 9 in <bdi>Tests</bdi>',
  );
});

test('--logs all includes retried jobs', async () => {
  const jobs = [
    job('first', 'failed', { retried: true, retried_in_job_id: 'again', step_key: 'unit' }),
    job('again', 'passed', { step_key: 'unit', started_at: at(9), finished_at: at(12) }),
  ];
  const { env } = await serve({ jobs, logs: { first: 'wrong\n', again: 'fine\n' } });
  const logs = logsOf((await report(['--logs', 'all'], { env })).stdout);
  expect(logs.get('first')).toMatch(/This job was retried\.[^]*wrong/);
  expect(logs.get('again')).toContain('fine');
  expect([...logsOf((await report([], { env })).stdout).keys()]).toEqual([]);
});

test('requests no more of a log than there is room for', async () => {
  const jobs = Array.from({ length: 20 }, (_, index) => job(`part${index}`, 'passed'));
  const loud = numbered('loud', 100_000);
  const logs = Object.fromEntries(jobs.map(({ id }) => [id ?? '', loud]));
  const { env, ranges } = await serve({ jobs, logs });
  await report(['--logs', 'all', '--max-bytes', '1000000'], { env });
  const bytes = ranges.map((range) => Number(range.replace('bytes=-', '')));
  expect(bytes).toHaveLength(20);
  expect(Math.max(...bytes)).toBe(1_000_000 + 65_536);
  // Four are requested concurrently and may arrive in any order, so the size of the others is not
  // known yet.
  expect(Math.max(...bytes.slice(12))).toBeLessThanOrEqual(1_000_000 / 5 + 65_536);
});

const note = (id: number, style: string, body_html: string) => ({
  ...{ id: `n${id}`, context: `part ${id}`, style, priority: 3, body_html },
});

const annotationsOf = (html: string): string =>
  /<section id="annotations">.*?<\/section>/s.exec(html)?.[0] ?? '';

test('a long annotation is truncated, and the others are complete', async () => {
  const long = '<p>some <b>bold &amp; long</b> text</p>\n'.repeat(140_000);
  const loud = numbered('loud', 100_000);
  const annotations = [note(1, 'info', long), note(2, 'error', '<p>all of it</p>')];
  const { env } = await serve({ annotations, logs: { unit: loud } });
  const { stdout, stderr, exitCode } = await report(['--max-bytes', '60000'], { env });
  expect([exitCode, stderr]).toEqual([0, '']);
  const found = annotationsOf(stdout);
  expect(found).toContain('<div><p>all of it</p></div></article>');
  expect(found).toMatch(
    /…(?:<\/b>)?<\/p><\/div><p class="quiet cut">Truncated: the full annotation is 5\.\d MB/,
  );
  expect(found).toContain(
    '<code>cictl annotations view &#39;part 1&#39; --build acme/web/7</code>',
  );
  expect(found.length).toBeGreaterThan(20_000);
  const log = logsOf(stdout).get('unit') ?? '';
  expect(log.length).toBeGreaterThan(20_000);
  expect(found.length + log.length).toBeLessThan(62_000);
});

test('keeps the most important of many thousand annotations, with a count of the others', async () => {
  const annotations = Array.from({ length: 5000 }, (_, at) =>
    note(at, at === 4321 ? 'error' : 'info', `<p>text of ${at}</p>`),
  );
  const { env } = await serve({ annotations, logs: { unit: 'wrong\n' } });
  const { stdout } = await report([], { env });
  const found = annotationsOf(stdout);
  expect(found.match(/<article/g)).toHaveLength(200);
  expect(found).toContain('text of 4321<');
  expect(found).toContain('4800 annotations are omitted because the report is full.');
  expect(found).toContain('<code>cictl annotations list acme/web/7</code>');
  expect(stdout.length).toBeLessThan(150_000);
  const none = await report(['--max-bytes', '0'], { env });
  expect(annotationsOf(none.stdout)).toContain('5000 annotations are omitted');
});

test('--json says which annotations were truncated', async () => {
  const long = '<p>some <b>bold</b> text</p>'.repeat(140_000);
  const annotations = Array.from({ length: 300 }, (_, at) =>
    note(at, at < 250 ? 'warning' : 'info', at === 0 ? long : '<p>text</p>'),
  );
  const { env } = await serve({ annotations, logs: { unit: 'expected 4\n' } });
  const dataOf = async (...args: string[]) =>
    JSON.parse((await report(['--json', ...args], { env })).stdout) as BuildReport;
  const data = await dataOf();
  expect(data.annotations).toHaveLength(100);
  expect([data.omitted.annotations, data.truncated]).toEqual([150, true]);
  expect(data.annotations[0]).toMatchObject({ context: 'part 0', truncated: true });
  expect(data.annotations[0]?.text).toMatch(/… \[truncated\]$/);
  expect(data.annotations[1]).toMatchObject({ text: 'text', truncated: false });
  const small = await dataOf('--max-bytes', '2000');
  const texts = [
    ...small.annotations,
    ...small.failures.map(({ lines }) => ({ text: lines.join('') })),
  ];
  expect(texts.map(({ text }) => text).join('').length).toBeLessThanOrEqual(2000);
  expect(small.failures[0]?.lines).toEqual(['expected 4']);
});

test('reports an unreadable log in its place, and on standard error', async () => {
  const { env } = await serve({});
  const { stdout, stderr, exitCode } = await report([], { env });
  expect(exitCode).toBe(0);
  expect(stderr).toContain('warning: cannot read the log of job acme/web/7#unit');
  expect(logsOf(stdout).get('unit')).toContain('cannot read the log of job acme/web/7#unit');
});

test('never contains the token, whoever printed it', async () => {
  const { env } = await serve({
    build: { message: `Use ${token}`, env: { DEPLOY_KEY: 'value-of-a-variable' } },
    logs: { unit: `+ curl -H "Bearer ${token}" https://me:password@host.example\n` },
  });
  const { stdout } = await report([], { env });
  expect(stdout).toContain('Bearer [REDACTED]');
  expect(stdout).not.toContain(token);
  expect(stdout).not.toContain(':password@');
  expect(stdout).not.toContain('value-of-a-variable');
  const data = (await report(['--json'], { env })).stdout;
  expect(data).toContain('Bearer [REDACTED]');
  expect(data).not.toContain(token);
});

const codes = '\x1b[0m\x1b[1m';
const [start, rest] = [token.slice(0, 9), token.slice(9)];
const others = 'ghp_0123456789abcdefABCDEF';

sampled.each([
  ['colours', `${start}\x1b[1m${rest}`],
  [
    'several colours',
    Array.from(token, (letter, at) => `\x1b[${30 + (at % 8)}m${letter}`).join(''),
  ],
  ['a link', `${start}\x1b]8;;https://ci.example/\x07${rest}\x1b]8;;\x07`],
  ['a mark of time', `${start}\x1b_bk;t=1700000000000\x07${rest}`],
  ['the cursor', `${start}xx\x1b[2D${rest}`],
  ['an unknown token', 'ghp_\x1b[1m0123456789abcdef\x1b[0mABCDEF'],
])('no token can be read that %s stand within', async (_, written) => {
  const log = `+++ Tests\nfirst\nerror: ${codes}Bearer ${written}${codes} was refused\n`;
  const annotations = [note(1, 'error', `<p>Bearer <b>${start}</b>${rest} and ${others}</p>`)];
  const { env } = await serve({ annotations, logs: { unit: log } });
  const { stdout } = await report([], { env });
  const texts = stdout.replace(/<[^<>]*>/g, '');
  expect(texts).not.toContain(token);
  expect(texts).not.toContain(others);
  expect(texts.match(/Bearer \[REDACTED\] was refused/g)).toHaveLength(2);
  expect(texts).toContain('Bearer [REDACTED] and [REDACTED]');
  const data = JSON.parse((await report(['--json'], { env })).stdout) as BuildReport;
  expect(data.failures[0]?.last_line).toBe('error: Bearer [REDACTED] was refused');
  expect(data.annotations[0]?.text).toBe('Bearer [REDACTED] and [REDACTED]');
});

test('-O writes the file and reports it, with nothing on standard output', async () => {
  const home = await useHome();
  const { env } = await serve({ logs: { unit: 'wrong\n' } });
  const { stdout, stderr, exitCode } = await report(['-O', 'out.html'], { env, home });
  expect([exitCode, stdout]).toEqual([0, '']);
  expect(stderr).toMatch(/^wrote out\.html \([\d.]+ kB\)\n$/);
  expect(await readFile(join(home.cwd, 'out.html'), 'utf8')).toContain('wrong</div>');
  expect(await readdir(home.cwd)).toEqual(['out.html']);
});

test.skipIf(!hasTerminal)('on a terminal, writes a new file each time', async () => {
  const home = await useHome();
  const { env } = await serve({ logs: { unit: 'wrong\n' } });
  const args = ['builds', 'report', 'web/7'];
  const written = () => cictlInTerminal(args, { home, env });
  const ok = { exitCode: 0, screen: expect.stringContaining('wrote web-7.html') as string };
  expect(await written()).toMatchObject(ok);
  expect(await written()).toMatchObject(ok);
  await writeFile(join(home.cwd, 'web-7.html'), '<p>mine</p>');
  const { screen, exitCode } = await written();
  expect([exitCode, screen]).toEqual([10, expect.stringContaining('-O web-7.html')]);
  expect(await readFile(join(home.cwd, 'web-7.html'), 'utf8')).toBe('<p>mine</p>');
});

test('-O - writes to standard output', async () => {
  const home = await useHome();
  const { env } = await serve({ logs: { unit: 'wrong\n' } });
  const { stdout, stderr } = await report(['-O', '-'], { env, home });
  expect(stdout).toMatch(/^<!doctype html>.*<\/html>\n?$/s);
  expect([stderr, await readdir(home.cwd)]).toEqual(['', []]);
});

test('--open opens the file in the browser', async () => {
  const home = await useHome();
  const { env } = await serve({ logs: { unit: 'wrong\n' } });
  const seen = join(home.cwd, 'seen');
  const browser = join(home.cwd, 'browser');
  await writeFile(browser, `#!/bin/sh\nprintf '%s' "$1" > ${seen}\n`, { mode: 0o755 });
  const { exitCode, stdout } = await report(['--open'], {
    env: { ...env, BROWSER: browser },
    home,
  });
  expect([exitCode, stdout]).toEqual([0, '']);
  const address = () => readFile(seen, 'utf8').catch(() => '');
  await expect.poll(address).toMatch(/^file:\/\/\/.*\/web-7\.html$/);
});

test('--json shows how long each job waited and ran, and the critical path', async () => {
  const { env, requests } = await serve({ logs: { unit: 'expected 4\n' } });
  const { stdout, exitCode } = await report(['--json'], { env });
  const data = JSON.parse(stdout) as BuildReport;
  expect(exitCode).toBe(0);
  expect(
    data.jobs.map(({ id, waited, ran, on_critical_path: is }) => [id, waited, ran, is]),
  ).toEqual([
    ['unit', 2, 5, false],
    ['lint', 2, 5, true],
    ['deploy', 1, 22, true],
    ['image', null, null, false],
  ]);
  expect(data.critical_path).toEqual(['lint', 'deploy']);
  expect(data.failures[0]?.lines).toEqual(['expected 4']);
  expect([data.from, data.to]).toEqual([at(0), at(30)]);
  expect(requests).toHaveLength(3);
  const rows = await report(['-o', 'tsv', '--logs', 'none'], { env });
  expect(rows.stdout.split('\n')[2]).toBe('deploy\tpassed\tdeploy tests\t1\t22\ttrue');
});

sampled.each([
  [['--json', '-O', 'x.html'], '--json and --out cannot be used together'],
  [['--jq', '.jobs', '--open'], '--jq and --open cannot be used together'],
  [['-O', ''], '--out requires a file'],
  [['-O', '-', '--open'], '--out - and --open cannot be used together'],
  [['--max-bytes', '-1'], '--max-bytes must not be negative'],
  [['--logs', 'some'], '--logs'],
])('%j is refused before anything is asked', async (args, words) => {
  const { env, requests } = await serve({});
  const { stderr, exitCode } = await report(args, { env });
  expect([exitCode, requests]).toEqual([2, []]);
  expect(stderr).toContain(words);
});

test('ignores an output format from the environment', async () => {
  const { env } = await serve({ logs: { unit: 'wrong\n' } });
  const { stdout } = await report([], { env: { ...env, CICTL_OUTPUT: 'json' } });
  expect(stdout).toMatch(/^<!doctype html>/);
});
