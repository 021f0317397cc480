/** `builds failures` against a service that counts requests. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Job } from '../../src/api/resources/job.ts';
import type { Report } from '../../src/triage/report-resource.ts';
import { cictl, type CliOptions } from '../support/cli.ts';
import { failingLog } from '../support/failing-log.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';

const base = '/v2/organizations/acme/pipelines/web/builds/7';

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly json?: unknown;
}

interface Seen {
  readonly path: string;
  readonly range: string | undefined;
}

/** Serves the paths below the build; all others get 404 `No log found`. */
async function serveBuild(
  replies: Readonly<Record<string, Reply | ((out: ServerResponse) => void)>>,
) {
  const requests: Seen[] = [];
  const load = { now: 0, most: 0 };
  const server = createServer((request, out) => {
    const path = (request.url ?? '').replace(base, '');
    requests.push({ path, range: request.headers.range });
    load.most = Math.max(load.most, ++load.now);
    out.on('close', () => (load.now -= 1));
    const reply = replies[path] ?? { status: 404, json: { message: 'No log found' } };
    // Late enough for concurrent requests to overlap.
    setTimeout(() => (typeof reply === 'function' ? reply(out) : give(out, reply)), 20);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' };
  return { env, requests, load };
}

function give(out: ServerResponse, { status = 200, headers, body, json }: Reply): void {
  const type = json === undefined ? 'text/plain' : 'application/json';
  out.writeHead(status, { 'content-type': type, ...headers });
  out.end(body ?? (json === undefined ? '' : JSON.stringify(json)));
}

const job = (id: string, state: string, more: Job = {}): Job => ({
  ...{
    id,
    type: 'script',
    name: `${id} tests`,
    step_key: id,
    state,
    started_at: '2026-11-20T10:00:00Z',
  },
  ...(state === 'failed' && { exit_status: 1 }),
  ...more,
});

const passed = (count: number) => Array.from({ length: count }, (_, at) => job(`p${at}`, 'passed'));

const threeOfTwenty = [
  ...passed(15),
  job('unit', 'failed', { exit_status: 3 }),
  job('e2e', 'failed', { exit_status: -1, signal: 'SIGKILL' }),
  job('slow', 'timed_out', { exit_status: -1 }),
  job('deploy', 'broken'),
  job('notify', 'waiting_failed'),
];

const buildOf = (jobs: readonly Job[], more: object = {}): Record<string, Reply> => ({
  '?include_retried_jobs=true': {
    json: { number: 7, state: 'failed', branch: 'main', message: 'Fix it', jobs, ...more },
  },
  '/annotations?per_page=100': { json: [] },
});

const log = (id: string, body: string | Uint8Array, more: Reply = {}): Record<string, Reply> => ({
  [`/jobs/${id}/log.txt`]: { body, ...more },
});

const agentLog = (text: string): string =>
  `~~~ Running global environment hook\n$ hook\n~~~ Running commands\n$ make\n${text}` +
  '~~~ Uploading artifacts\n12 files\n~~~ Running agent pre-exit hook\nbye\n';

const failures = (args: readonly string[], options: CliOptions) =>
  cictl(['builds', 'failures', 'web/7', ...args], options);

const reportOf = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout) as Report;

test('explains 3 failed jobs of 20 with 5 requests, at most 4 at once', async () => {
  const { env, requests, load } = await serveBuild({
    ...buildOf(threeOfTwenty),
    '/annotations?per_page=100': {
      json: [
        { context: 'junit', style: 'error', body_html: '<p><b>2</b> of 9 failed</p>' },
        { context: 'ok', style: 'success', body_html: '<p>fine</p>' },
      ],
    },
    ...log('unit', agentLog('+++ Unit\nexpected 4\ngot 5\n')),
    ...log('e2e', agentLog('Killed\n')),
    ...log('slow', agentLog('still waiting\n')),
  });
  const result = await failures(['--json'], { env });
  expect([result.exitCode, result.stderr]).toEqual([0, '']);
  expect(requests.map(({ path }) => path).sort()).toEqual([
    '/annotations?per_page=100',
    '/jobs/e2e/log.txt',
    '/jobs/slow/log.txt',
    '/jobs/unit/log.txt',
    '?include_retried_jobs=true',
  ]);
  expect(load.most).toBeLessThanOrEqual(4);
  expect(requests.find(({ path }) => path.includes('unit'))?.range).toMatch(/^bytes=-\d+$/);
  const report = reportOf(result);
  expect(report.counts).toMatchObject({ jobs: 20, passed: 15, failed: 3, followed: 2 });
  expect(
    report.failures.map((one) => [one.step_key, one.state, one.section, one.last_line]),
  ).toEqual([
    ['unit', 'failed', 'Unit', 'got 5'],
    ['e2e', 'failed', 'Running commands', 'Killed'],
    ['slow', 'timed_out', 'Running commands', 'still waiting'],
  ]);
  expect(report.followed.map(({ step_key, state }) => [step_key, state])).toEqual([
    ['deploy', 'broken'],
    ['notify', 'waiting_failed'],
  ]);
  expect(report.annotations).toEqual([
    { context: 'junit', style: 'error', text: '2 of 9 failed', truncated: false },
  ]);
  expect(result.stdout).not.toContain('hook');
});

test('reads many logs four at a time', async () => {
  const ids = Array.from({ length: 12 }, (_, at) => `j${at}`);
  const { env, requests, load } = await serveBuild({
    ...buildOf(ids.map((id) => job(id, 'failed'))),
    ...Object.fromEntries(ids.flatMap((id) => Object.entries(log(id, `${id}\n`)))),
  });
  const report = reportOf(await failures(['--json'], { env }));
  expect([requests.length, load.most]).toEqual([14, 4]);
  expect(report.failures.map(({ last_line }) => last_line)).toEqual(ids);
});

const shards = (count: number): Job[] =>
  Array.from({ length: count }, (_, at) =>
    job(`t${at}`, 'failed', { name: `Test ${at + 1}/${count}`, step_key: 'test' }),
  );

test.each(['--max-causes', '--max-jobs'])(
  'with %s, shows each cause of many jobs once and reads one long log for each',
  async (flag) => {
    const jobs = shards(30);
    const line = (at: number): string =>
      `Error: ${['no database', 'no network', 'no disk'][at % 3]} on port ${4000 + at}`;
    const { env, requests } = await serveBuild({
      ...buildOf(jobs),
      ...Object.fromEntries(
        jobs.flatMap(({ id }, at) => Object.entries(log(id ?? '', `one\ntwo\n${line(at)}\nend\n`))),
      ),
    });
    const result = await failures(['--json', flag, '2'], { env });
    expect([result.exitCode, result.stderr, requests.length]).toEqual([0, '', 34]);
    const report = reportOf(result);
    expect(report.causes.map(({ signature, line: text }) => [signature, text])).toEqual([
      ['Error: no database on port …', 'Error: no database on port 4000'],
      ['Error: no network on port …', 'Error: no network on port 4001'],
    ]);
    expect(report.causes[0]).toMatchObject({
      title: 'Error: no database on port …',
      jobs: [{ id: 't0', name: 'Test 1/30', step_key: 'test' }, ...Array<object>(9).fill({})],
      excerpt: ['one', 'two', line(0), 'end'],
    });
    expect(report.failures.map(({ last_line }) => last_line)).toEqual(
      jobs.map((_, at) => line(at)),
    );
    expect(report.omitted).toMatchObject({ causes: 1, failures: 0 });
    expect((await failures([flag, '2'], { env })).stdout.split('\n')).toHaveLength(31);
  },
);

test('lists the jobs of a cause on request', async () => {
  const jobs = shards(4);
  const { env } = await serveBuild({
    ...buildOf(jobs),
    ...Object.fromEntries(jobs.flatMap(({ id }) => Object.entries(log(id ?? '', 'Error: no\n')))),
  });
  const grouped = '✗ 4 × Error: no  Test 1/4 … 4/4  exit 1\n';
  const { stdout } = await failures(['-o', 'table'], { env });
  expect(stdout).toContain(`${grouped}  │ Error: no\n`);
  const listed = await failures(['-o', 'table', '--list-jobs'], { env });
  expect(listed.stdout).toContain(`${grouped}  Test 1/4  t0\n  Test 2/4  t1\n`);
  const markdown = await failures(['--markdown', '--list-jobs'], { env });
  expect(markdown.stdout).toMatch(/^### `Error: no`$[^]*^4 jobs:\n\n- `Test 1\/4`: `t0`$/m);
});

test('reports an error with a log or the annotations in its place', async () => {
  const { env } = await serveBuild({
    ...buildOf([job('a', 'failed'), job('b', 'failed'), job('c', 'failed')]),
    '/annotations?per_page=100': { status: 403, json: { message: 'Forbidden' } },
    ...log('a', 'fine\n'),
    ...log('c', '<html>sign in</html>', { headers: { 'content-type': 'text/html' } }),
  });
  const result = await failures(['--json'], { env });
  expect([result.exitCode, result.stderr]).toEqual([0, '']);
  const report = reportOf(result);
  expect(report.failures.map(({ lines, fault }) => [lines, fault])).toEqual([
    [['fine'], null],
    [[], expect.stringContaining('cannot read the log of job acme/web/7#b')],
    [[], expect.stringContaining('HTML')],
  ]);
  expect(report.annotations_fault).toContain('Forbidden');
});

test('a log that breaks off is an error of that log', async () => {
  const { env } = await serveBuild({
    ...buildOf([job('a', 'failed')]),
    '/jobs/a/log.txt': (out) => {
      out.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' });
      out.write('half', () => out.destroy());
    },
  });
  const result = await failures(['--json'], { env });
  expect(result.exitCode).toBe(0);
  expect(reportOf(result).failures[0]?.fault).toContain('cannot read the log');
});

test('drops the torn first line of a suffix range, whose offset is unknown', async () => {
  const headers = { 'content-range': 'bytes 1000-1014/1015' };
  const { env } = await serveBuild({
    ...buildOf([job('a', 'failed')]),
    ...log('a', 'torn\nlast line\n', { status: 206, headers }),
  });
  const [failure] = reportOf(await failures(['--json'], { env })).failures;
  expect(failure).toMatchObject({ lines: ['last line'], omitted_lines: null, truncated: true });
});

test('keeps only the end of a large log sent as a whole', async () => {
  const line = `${'x'.repeat(1023)}\n`;
  const { env } = await serveBuild({
    ...buildOf([job('a', 'failed')]),
    '/jobs/a/log.txt': (out) => {
      out.writeHead(200, { 'content-type': 'text/plain' });
      let left = 200;
      const more = (): void => {
        if (left-- === 0) out.end('the end\n');
        else out.write(line.repeat(1024), more);
      };
      more();
    },
  });
  const report = reportOf(await failures(['--json', '--lines', '2'], { env }));
  expect(report.failures[0]).toMatchObject({
    lines: ['x'.repeat(1023), 'the end'],
    omitted_lines: null,
  });
});

test('the lines together with the output of the suggested commands are the whole log', async () => {
  const bytes = failingLog('jest-assert', 'sections');
  const { env } = await serveBuild({
    ...buildOf([job('a', 'failed')]),
    '': { json: { number: 7, state: 'failed', jobs: [job('a', 'failed')] } },
    ...log('a', bytes),
  });
  const {
    lines = [],
    cause = [],
    omitted_lines,
  } = reportOf(await failures(['--json'], { env })).failures[0] ?? {};
  const [strongest = ''] = cause.map((place) => lines[place] ?? '');
  expect(strongest).toMatch(/takes ten percent off/);
  const parts = await Promise.all(
    lines.map(async (line) => {
      const words = /^\[truncated: (\d+) lines, see cictl (job log .*)\]$/.exec(line);
      if (words === null) return [line];
      const { stdout } = await cictl((words[2] ?? '').split(' '), { env });
      const printed = stdout.split('\n').slice(0, -1);
      expect(printed).toHaveLength(Number(words[1]));
      return printed;
    }),
  );
  expect(parts.filter((part) => part.length > 1).length).toBeGreaterThan(1);
  const { stdout } = await cictl(['job', 'log', 'acme/web/7#a'], { env });
  const own = stdout.slice(stdout.indexOf('~~~ Running commands'), stdout.indexOf('^^^ +++'));
  expect(`${parts.flat().join('\n')}\n`.trimEnd()).toBe(
    own
      .split('\n')
      .slice(omitted_lines ?? 0)
      .join('\n')
      .trimEnd(),
  );
});

test('requests no log of an expired job or a trigger', async () => {
  const triggered_build = { number: 12, web_url: 'https://ci.example.com/acme/other/12' };
  const { env, requests } = await serveBuild(
    buildOf([job('a', 'expired'), job('b', 'failed', { type: 'trigger', triggered_build })]),
  );
  const result = await failures(['-o', 'table'], { env });
  expect(requests).toHaveLength(2);
  expect(result.stdout).toContain('triggered build 12 https://ci.example.com/acme/other/12');
});

test('shows the retry history and what passed on a retry', async () => {
  const { env } = await serveBuild({
    ...buildOf([
      job('a1', 'failed', { retried: true, retried_in_job_id: 'a2', retry_type: 'automatic' }),
      job('a2', 'failed', { retries_count: 1, exit_status: 2 }),
      job('b1', 'failed', { retried: true, retried_in_job_id: 'b2' }),
      job('b2', 'passed'),
    ]),
    ...log('a2', 'again\n'),
  });
  const report = reportOf(await failures(['--json'], { env }));
  expect(report.failures.map(({ id, retries }) => [id, retries.map((one) => one.id)])).toEqual([
    ['a2', ['a1']],
  ]);
  expect(report.failures[0]?.retries[0]).toMatchObject({ retry_type: 'automatic', exit_status: 1 });
  expect(report.recovered.map(({ id, retries }) => [id, retries.map((one) => one.id)])).toEqual([
    ['b2', ['b1']],
  ]);
});

const two = {
  ...buildOf([job('a', 'failed'), job('b', 'failed', { soft_failed: true, exit_status: 9 })]),
  ...log('a', Buffer.from('--- T\tab\n\x1b[31mred\x1b[0m\tand \xff\n', 'latin1')),
};

test('prints a row per failed job in a pipe, with errors on standard error', async () => {
  const { env } = await serveBuild(two);
  const { stdout, stderr, exitCode } = await failures([], { env });
  expect([exitCode, stdout]).toEqual([
    0,
    'a\tfailed\t1\ta tests\tT\\tab\tred\\tand \ufffd\tfalse\n' +
      'b\tfailed\t9\tb tests\t\t\ttrue\n',
  ]);
  expect(stderr).toMatch(/^warning: cannot read the log of job acme\/web\/7#b: .*\n$/);
});

test.each([
  [['--fields', 'build.number,failures.step_key,failures.exit_status'], '7\ta\t1\n7\tb\t9\n'],
  [['--jq', '.failures[].name'], 'a tests\nb tests\n'],
  [
    ['-o', 'jsonl', '--fields', 'counts.failed,failures.id'],
    '{"counts":{"failed":1},"failures":[{"id":"a"},{"id":"b"}]}\n',
  ],
  [['-o', 'yaml', '--fields', 'counts.soft_failed'], 'counts:\n  soft_failed: 1\n'],
])('%j', async (args, expected) => {
  const { env } = await serveBuild(two);
  expect(await failures([...args, '-q'], { env })).toMatchObject({ stdout: expected, exitCode: 0 });
});

test('prints Markdown whatever output the profile sets', async () => {
  const { env } = await serveBuild(two);
  const { stdout, exitCode } = await failures(['--markdown'], {
    env: { ...env, CICTL_OUTPUT: 'json' },
  });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^## Build `acme\/web\/7` `failed`\n/);
  expect(stdout).toContain('```text\n--- T\tab\nred\tand \ufffd\n```\n');
});

test('every limit can be set, and every cut is marked', async () => {
  const lines = Array.from({ length: 30 }, (_, at) => `${at} ${'z'.repeat(at * 10)}`).join('\n');
  const { env } = await serveBuild({
    ...buildOf([job('a', 'failed'), job('b', 'failed')]),
    ...log('a', `${lines}\n`),
    ...log('b', `${lines}\n`),
  });
  const args = ['--lines', '20', '--max-line-bytes', '100', '--max-job-bytes', '1500'];
  const report = reportOf(await failures(['--json', ...args, '--max-bytes', '2000'], { env }));
  expect(report.failures).toHaveLength(2);
  for (const { lines: kept, truncated, omitted_lines } of report.failures) {
    expect(kept.join('\n').length).toBeLessThanOrEqual(1000);
    for (const line of kept) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(100);
    expect(kept.at(-1)).toMatch(/^29 z+… \[truncated\]$/);
    expect([truncated, omitted_lines]).toEqual([true, 30 - kept.length]);
  }
  const markdown = await failures(['--markdown', ...args], { env });
  expect(markdown.stdout).toContain('[truncated: ');
});

test('--lines 0 reads no log', async () => {
  const { env, requests } = await serveBuild(two);
  expect((await failures(['--lines', '0'], { env })).stdout).toContain('a tests');
  expect(requests).toHaveLength(2);
});

test('handles a build without failures', async () => {
  const { env } = await serveBuild(buildOf(passed(2), { state: 'passed' }));
  expect(await failures([], { env })).toMatchObject({
    stdout: '',
    stderr: 'no failed jobs\n',
    exitCode: 0,
  });
});

test.each([
  [{ state: 'canceled' }, 'the build was canceled'],
  [{ state: 'canceled', cancel_reason: 'newer\npush' }, 'the build was canceled: newer push'],
  [{ state: 'canceling' }, 'the build is being canceled'],
])('explains rows of a build that did not fail on its own: %j', async (more, words) => {
  const stopped = await serveBuild(buildOf([job('a', 'canceled')], more));
  expect(await failures([], { env: stopped.env })).toMatchObject({
    stdout: '',
    stderr: `no failed jobs; ${words}\n`,
    exitCode: 0,
  });
  const failed = await serveBuild(buildOf([job('a', 'failed')], more));
  const { stdout, stderr } = await failures([], { env: failed.env });
  expect(stdout).toMatch(/^a\tfailed\t1\t/);
  expect(stderr).toContain(`${words}\n`);
});

test.each([
  [['--lines', '-1'], '--lines'],
  [['--max-jobs', '0'], '--max-jobs'],
  [['--max-line-bytes', 'x'], '--max-line-bytes'],
  [['--markdown', '--json'], '--markdown and -o json'],
  [['--markdown', '--jq', '.'], '--markdown and --jq'],
  [['--markdown', '--fields', 'counts'], '--markdown and --fields'],
  [['--fields', 'failures.colour'], 'failures.colour'],
])('rejects %j with exit code 2 and sends nothing', async (args, words) => {
  const { env, requests } = await serveBuild({});
  const { exitCode, stdout, stderr } = await failures(args, { env });
  expect([exitCode, stdout, requests]).toEqual([2, '', []]);
  expect(stderr).toContain(words);
});

test('a missing build exits with 7', async () => {
  const { env } = await serveBuild({
    '?include_retried_jobs=true': { status: 404, json: { message: 'No build found' } },
  });
  expect((await failures([], { env })).exitCode).toBe(7);
});

test.skipIf(!hasTerminal).each([80, 160])(
  'in %i columns, the cause is on the first screen whatever came after it',
  async (columns) => {
    const { env } = await serveBuild({
      ...buildOf([job('a', 'failed'), job('deploy', 'broken')]),
      ...log('a', failingLog('jest-assert', 'sections')),
    });
    const home = await useHome();
    const { screen } = await cictlInTerminal(['builds', 'failures', 'web/7'], {
      home: { ...home, env: { ...home.env, ...env } },
      columns,
      rows: 24,
    });
    const shown = screen.replace(/\x1b\[\?25h$/, '').replace(/^[^]*\x1b\[\?25h/, '');
    const first = shown
      .replace(/\x1b\[[\d;]*m/g, '')
      .split('\r\n')
      .slice(0, 24);
    for (const line of first) expect(line.length).toBeLessThanOrEqual(columns);
    expect(first.join('\n')).toContain('-   "due": 22.05,');
    expect(first.join('\n')).toContain('+   "due": 0,');
  },
);

test.skipIf(!hasTerminal)(
  'on a terminal, failures are on the first screen and the next command at the end',
  async () => {
    const long = Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n');
    const { env } = await serveBuild({
      ...buildOf(threeOfTwenty),
      ...log('unit', `${long}\nexpected 4, got 5\n`),
      ...log('e2e', `${long}\n\x1b]0;title\x07Killed\n`),
      ...log('slow', `${long}\nstill waiting\n`),
    });
    const home = await useHome();
    const { screen, exitCode } = await cictlInTerminal(['builds', 'failures', 'web/7'], {
      home: { ...home, env: { ...home.env, ...env } },
      columns: 80,
      rows: 24,
    });
    // After a spinner, which a slow service triggers, the cursor is shown again, also on exit.
    const shown = screen
      .replace(/\x1b\[\?25h$/, '')
      .replace(/^[^]*\x1b\[\?25h/, '')
      .split('\r\n');
    const first = shown.slice(0, 24).join('\n');
    for (const text of [
      'unit tests',
      'e2e tests',
      'slow tests',
      'expected 4, got 5',
      'Killed',
      'deploy',
    ])
      expect(first).toContain(text);
    expect(first).toContain('\x1b[31m✗ failed');
    expect(screen).not.toContain('title');
    expect(shown.slice(-4)).toEqual([
      'next:',
      '  cictl job log web/7#unit',
      '  cictl job retry --failed --build web/7',
      '',
    ]);
    expect(exitCode).toBe(0);
  },
);

const sha = '0141deadbeef0141deadbeef0141deadbeef0141';

/** The list of a commit's builds, whose path is not below the build. */
const ofCommit = (...builds: readonly object[]): Record<string, Reply> => ({
  [`${base.replace('/7', '')}?per_page=1&commit=${sha}`]: { json: builds },
});

test('--commit uses the newest build of a commit', async () => {
  const { env } = await serveBuild({ ...two, ...ofCommit({ id: 'x', number: 7 }) });
  const args = ['builds', 'failures', '--commit', sha, '--json'];
  const result = await cictl(args, { env });
  expect([result.exitCode, result.stderr]).toEqual([0, '']);
  expect(reportOf(result).build.number).toBe(7);
});

test('a commit without a build exits with 7, one next to BUILD with 2', async () => {
  const { env } = await serveBuild({ ...two, ...ofCommit() });
  const none = await cictl(['builds', 'failures', '--commit', sha], { env });
  expect([none.exitCode, none.stderr]).toEqual([7, expect.stringContaining(sha)]);
  const both = await failures(['--commit', sha], { env });
  expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining('--commit')]);
});

const blocked = buildOf(
  [{ id: 'g', type: 'manual', label: 'Release?', step_key: 'gate', state: 'blocked' }],
  { state: 'passed', blocked: true },
);

test('a blocked build shows where, next to rows and on a terminal', async () => {
  const { env } = await serveBuild(blocked);
  const command = 'cictl job unblock web/7#gate';
  expect(await failures([], { env })).toMatchObject({
    stdout: '',
    stderr: `no failed jobs; the build is blocked at "Release?": ${command}\n`,
    exitCode: 0,
  });
  const { stdout } = await failures(['-o', 'table'], { env });
  expect(stdout).toContain(`■ blocked at "Release?" → ${command}\n`);
});

test('shows the colors of the log unless color is off', async () => {
  const { env } = await serveBuild(two);
  const painted = await failures(['-o', 'table', '--color'], { env });
  expect(painted.stdout).toMatch(/\x1b\[31mred\x1b\[0m/);
  const plain = await failures(['-o', 'table', '--no-color'], { env });
  expect(plain.stdout).not.toContain('\x1b');
});

test('--lines shows all lines of the report, otherwise the most important ones', async () => {
  const long = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n');
  const { env } = await serveBuild({ ...buildOf([job('a', 'failed')]), ...log('a', `${long}\n`) });
  const most = await failures(['-o', 'table'], { env });
  expect(most.stdout).toMatch(/ {2}⋮ \d+ earlier lines: cictl job log web\/7#a\n/);
  expect(most.stdout).not.toContain('│ line 3\n');
  const all = await failures(['-o', 'table', '--lines', '50'], { env });
  expect(all.stdout).toContain('│ line 3\n');
  expect(all.stdout).not.toContain('⋮');
});
