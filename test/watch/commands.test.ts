/** `builds watch` and `--watch` of other commands, against a server that expects their requests. */
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { cictl, startCictl, type CliOptions } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { serve, type Exchange, type ServeOptions } from '../support/server.ts';

const base = '/v2/organizations/acme/pipelines/web/builds';
const web_url = 'https://ci/acme/web/builds/8';
const built = { id: 'x', number: 8, state: 'scheduled', web_url };
const put = (path: string, json: object): Exchange => ({
  ...{ method: 'PUT', path: `${base}/${path}`, body: '' },
  answer: { json },
});
const look = (number: number, state: string, rest: object = {}): Exchange => ({
  path: `${base}/${number}`,
  answer: { json: { id: `build-${number}`, number, state, web_url, ...rest } },
});

const leadTo = (url: string) => ({
  ...{ CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' },
});

async function watching(
  args: readonly string[],
  exchanges: readonly Exchange[],
  options: CliOptions & ServeOptions = {},
) {
  const { url } = await serve(exchanges, options);
  return cictl(args, { ...options, env: { ...leadTo(url), ...options.env } });
}

/** Lines without times. */
const timeless = (text: string): string => text.replace(/^\d{4}-[^\t]*\t/gm, '');

const insideJob = {
  BUILDKITE_ORGANIZATION_SLUG: 'acme',
  BUILDKITE_PIPELINE_SLUG: 'web',
  BUILDKITE_BUILD_NUMBER: '8',
};

test.each<[string, Readonly<Record<string, string>>]>([
  ['builds watch 8', {}],
  ['builds watch', { CICTL_BUILD: 'web/8' }],
])('%s with %j watches that build', async (line, env) => {
  const { exitCode, stdout } = await watching(
    [...line.split(' '), '-i', '10ms'],
    [look(8, 'running'), look(8, 'running'), look(8, 'passed')],
    { env },
  );
  expect(exitCode).toBe(0);
  expect(timeless(stdout)).toBe(`build\t8\trunning\t${web_url}\nbuild\t8\tpassed\t${web_url}\n`);
});

test('without BUILD, waits for a build of the checked-out commit', async () => {
  const home = await useHome();
  const git = (...args: string[]) => execa('git', args, { cwd: home.cwd });
  await git('init', '-q', '-b', 'topic');
  await git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x', '--allow-empty');
  const { stdout: commit } = await git('rev-parse', 'HEAD');
  const list = (json: unknown): Exchange => ({
    path: `${base}?per_page=1&commit=${commit}`,
    answer: { json },
  });
  const { exitCode, stderr } = await watching(
    ['builds', 'watch', '-i', '10ms'],
    [list([]), list([]), list([built]), look(8, 'failed')],
    // The current job's build is in another pipeline.
    { home, env: { ...insideJob, BUILDKITE_PIPELINE_SLUG: 'other' } },
  );
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`waiting for a build of commit ${commit} in acme/web\n`);
});

test('--commit accepts a full SHA as is', async () => {
  const commit = '0123456789'.repeat(4);
  const { exitCode } = await watching(
    ['builds', 'watch', '--commit', commit],
    [{ path: `${base}?per_page=1&commit=${commit}`, answer: { json: [built] } }, look(8, 'passed')],
  );
  expect(exitCode).toBe(0);
});

test("rejects the surrounding job's build if it is the newest of the commit", async () => {
  const commit = '0123456789'.repeat(4);
  const { exitCode, stderr } = await watching(
    ['builds', 'watch', '--commit', commit],
    [{ path: `${base}?per_page=1&commit=${commit}`, answer: { json: [built] } }],
    { env: insideJob },
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain('cannot watch build acme/web/8 from one of its own jobs');
});

test.each([
  ['builds watch 8', insideJob, 'wait for itself'],
  ['builds cancel 8 -y --watch', insideJob, 'wait for itself'],
  ['builds watch 8 --commit HEAD', {}, 'BUILD and --commit'],
  ['builds watch --commit HEAD', {}, 'is not a commit in this checkout'],
  ['builds watch', {}, 'no BUILD given'],
  ['builds watch 8 -i 0', {}, '--interval'],
  ['builds watch 8 --timeout soon', {}, 'duration'],
  ['builds watch 8 --fields number', {}, '--fields'],
  ['builds create -c x -b y --timeout 5s', {}, '--timeout requires --watch'],
  ['builds rebuild 8 --timeout 5s', {}, '--timeout requires --watch'],
  ['builds cancel 8 -y --timeout 5s', {}, '--timeout requires --watch'],
  ['builds create -c x -b y --watch --json --fields number', {}, 'events'],
])('%s with %j exits with 2 and sends nothing', async (line, env, words) => {
  const { exitCode, stdout, stderr } = await watching(line.split(' '), [], { env });
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(words);
});

test('create --watch prints the URL, then the changes', async () => {
  const post: Exchange = { method: 'POST', path: base, answer: { status: 201, json: built } };
  const { exitCode, stdout } = await watching(
    ['builds', 'create', '-c', 'x', '-b', 'y', '--watch'],
    [post, look(8, 'skipped')],
  );
  expect(exitCode).toBe(5);
  expect(timeless(stdout)).toBe(`${web_url}\nbuild\t8\tskipped\t${web_url}\n`);
});

test('with --json, each line is an event', async () => {
  const { exitCode, stdout } = await watching(
    ['builds', 'rebuild', '3', '--watch', '--json'],
    [put('3/rebuild', built), look(8, 'passed', { blocked: false })],
  );
  const build = { number: 8, state: 'passed', blocked: false, web_url };
  const at: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(exitCode).toBe(0);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { at, event: 'build', build },
    { at, event: 'end', build, exit_code: 0 },
  ]);
});

test('a jq program gets each event', async () => {
  const { stdout } = await watching(
    ['builds', 'watch', '8', '--jq', 'select(.event=="end").exit_code'],
    [look(8, 'canceled')],
  );
  expect(stdout).toBe('3\n');
});

test('cancel --watch waits for all builds, and reports that they were canceled', async () => {
  const pipeline = { slug: 'web' };
  const either = /\/builds\/[45]$/;
  const canceled = (number: number) => ({
    id: String(number),
    number,
    state: 'canceled',
    pipeline,
  });
  const { exitCode, stdout } = await watching(
    ['builds', 'cancel', '4', '5', '-y', '--watch'],
    [
      put('4/cancel', { number: 4, web_url: 'http://h/4' }),
      put('5/cancel', { number: 5, web_url: 'http://h/5' }),
      { path: either, answer: { json: canceled(4) } },
      { path: either, answer: { json: canceled(5) } },
    ],
  );
  expect(exitCode).toBe(3);
  expect(timeless(stdout).split('\n').sort()).toEqual([
    '',
    'build\tweb/4\tcanceled\t',
    'build\tweb/5\tcanceled\t',
    'http://h/4',
    'http://h/5',
  ]);
});

const jobId = '0190a4e2-0000-4000-8000-000000000001';
const failedJob = { id: jobId, type: 'script', name: 'unit', state: 'failed' };

test('job retry --watch waits for the build with the new job', async () => {
  const jobs = (state: string) => ({ jobs: [{ ...failedJob, id: 'new', state }] });
  const { exitCode, stdout } = await watching(
    ['job', 'retry', `8#${jobId}`, '--watch'],
    [
      look(8, 'failed', { jobs: [failedJob] }),
      put(`8/jobs/${jobId}/retry`, { id: 'new', web_url: 'http://h/new' }),
      look(8, 'failed', jobs('scheduled')),
      look(8, 'passed', jobs('passed')),
    ],
  );
  expect(exitCode).toBe(0);
  expect(timeless(stdout)).toBe(
    [
      ...['http://h/new', 'job\tunit\tscheduled\t', `build\t8\tfailed\t${web_url}`],
      ...['job\tunit\tpassed\t', `build\t8\tpassed\t${web_url}`, ''],
    ].join('\n'),
  );
});

test('a job that could not be retried sets the exit code after the others were watched', async () => {
  const other = { ...failedJob, id: 'other' };
  const retry = /\/jobs\/[^/]+\/retry$/;
  const refused = { status: 422, json: { message: 'Jobs can only be retried once' } };
  const { exitCode, stdout, stderr } = await watching(
    ['job', 'retry', '--failed', '--build', '8', '--watch'],
    [
      look(8, 'failed', { jobs: [failedJob, other] }),
      { method: 'PUT', path: retry, answer: { json: { id: 'new', web_url: 'http://h/new' } } },
      { method: 'PUT', path: retry, answer: refused },
      look(8, 'passed', { jobs: [] }),
    ],
  );
  expect(exitCode).toBe(8);
  expect(timeless(stdout)).toBe(`http://h/new\nbuild\t8\tpassed\t${web_url}\n`);
  expect(stderr).toContain('1 of 2 jobs were not retried');
});

test.each([
  ['builds create -c x -b y', `POST URL${base}\n{"commit":"x","branch":"y"}\n`],
  ['builds rebuild 8', `PUT URL${base}/8/rebuild\n`],
  ['builds cancel 8', `PUT URL${base}/8/cancel\n`],
])('%s --dry-run --watch sends and watches nothing', async (line, printed) => {
  const { url } = await serve([]);
  const args = [...line.split(' '), '--watch', '--dry-run'];
  const { exitCode, stdout } = await cictl(args, { env: leadTo(url) });
  expect([exitCode, stdout]).toEqual([0, printed.replaceAll('URL', url)]);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends the watch with exit code %i', async (signal, code) => {
  const home = await useHome();
  const { url } = await serve([look(8, 'running')]);
  const child = startCictl(['builds', 'watch', '8', '-i', '1h'], home, { env: leadTo(url) });
  child.stdout.once('data', () => child.kill(signal));
  expect((await child).exitCode).toBe(code);
});

test('a timeout is reported as an error', async () => {
  const { exitCode, stderr } = await watching(
    ['builds', 'watch', '8', '-i', '1h', '--timeout', '1s', '--json'],
    [look(8, 'running')],
    { atMost: true },
  );
  expect(exitCode).toBe(124);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 124, kind: 'timeout', status: null } });
});
