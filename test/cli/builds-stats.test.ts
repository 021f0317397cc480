import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leadTo } from '../support/against.ts';
import { cictl, type CliOptions } from '../support/cli.ts';
import { finishedBuild } from '../support/finished-builds.ts';
import { useHome } from '../support/home.ts';
import { longList, meeting } from '../support/long-list.ts';
import { serve, type Exchange } from '../support/server.ts';

const commit = 'c'.repeat(40);
const builds = [
  finishedBuild(5, 'lint:passed:10 test:passed:90', { commit }),
  finishedBuild(4, 'lint:passed:20 test:failed:80', { commit }),
  finishedBuild(3, 'lint:passed:30 test:failed:10 test:passed:70'),
  finishedBuild(2, 'test:canceled:500', { state: 'canceled' }),
];

const list = '/v2/organizations/acme/pipelines/web/builds';
const newest: Exchange = { path: `${list}?per_page=1`, answer: { json: builds.slice(0, 1) } };
const finished: Exchange = {
  path: `${list}?per_page=100&state=finished&branch=main&include_retried_jobs=true`,
  answer: { json: builds },
};

async function stats(
  exchanges: readonly Exchange[],
  args: readonly string[],
  options: CliOptions = {},
) {
  const { url } = await serve(exchanges);
  return cictl(['builds', 'stats', ...args], {
    ...options,
    env: { ...leadTo(url), CICTL_ORG: 'acme', CICTL_PIPELINE: 'web', ...options.env },
  });
}

test('prints a row for whole builds and one per step in a pipe', async () => {
  const { stdout, stderr, exitCode } = await stats([newest, finished], []);
  expect(stdout).toBe(
    '\t\tweb\t3\t2\t1\t0.6667\t101\t109.8\t1\t1\t\t0\n' +
      'Run test\ttest\tweb\t4\t2\t2\t0.5\t75\t87\t1\t1\t0.8013\t2\n' +
      'Run lint\tlint\tweb\t3\t3\t0\t1\t20\t28\t1\t1\t0.1987\t0\n',
  );
  expect([stderr, exitCode]).toEqual(['', 0]);
});

test('prints a table with sparklines and examples of flaky steps', async () => {
  const { stdout } = await stats([newest, finished], ['-o', 'table']);
  expect(stdout).toBe(
    [
      'web on main: 67% of 3 builds passed (1 failed, 1 other)',
      'STEP        PASSED   TOOK    P90  WAITED  WAIT P90  PATH  FLAKY  TREND',
      'all builds     67%  1m41s  1m49s      1s        1s               ███',
      'Run test       50%  1m15s  1m27s      1s        1s   80%      2  ▇▁██',
      'Run lint      100%    20s    28s      1s        1s   20%         █▆▃',
      '',
      'Flaky steps:',
      '  Run test, 2 times: #4 and #5 at ccccccc; #3 retried',
      '',
    ].join('\n'),
  );
});

test('--json prints the whole document', async () => {
  const { stdout } = await stats([newest, finished], ['--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ organization: 'acme', pipeline: 'web', branches: ['main'] },
    builds: { runs: 3, passed: 2, others: 1, duration: { median: 101 } },
    steps: [{ step_key: 'test' }, { step_key: 'lint' }],
    flaky: [{ count: 2, examples: [{ by: 'commit' }, { by: 'retry' }] }],
  });
});

test('--jq and --fields select from it', async () => {
  const { stdout } = await stats([newest, finished], ['--jq', '.builds.pass_rate']);
  expect(stdout).toBe('0.6667\n');
  const fields = ['--fields', 'steps.name,steps.flaky'];
  expect((await stats([newest, finished], fields)).stdout).toBe('\t0\nRun test\t2\nRun lint\t0\n');
  const json = await stats([newest, finished], ['--json=builds.runs']);
  expect(json.stdout).toBe('{"builds":{"runs":3}}\n');
});

test('--html writes a page that loads nothing', async () => {
  const home = await useHome();
  const { stdout, stderr } = await stats([newest, finished], ['--html', 'out.html'], { home });
  expect([stdout, stderr]).toEqual(['', 'wrote out.html\n']);
  const html = await readFile(join(home.cwd, 'out.html'), 'utf8');
  expect(html).toContain('<title>Builds of web on main</title>');
  expect(html).toContain('content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;');
  expect(html).toContain('href="http://ci.test/jobs/3-1"');
  expect(html).not.toMatch(/<script|\bsrc=|\sstyle=|\son\w+=/);
});

test('--html - writes to standard output, with the singular for one build', async () => {
  const one = { ...finished, answer: { json: builds.slice(0, 1) } };
  const { stdout, stderr } = await stats([newest, one], ['--html', '-']);
  expect(stdout).toMatch(/^<!doctype html>[^]*>1 build, 2026-01-01\.<[^]*<\/html>\n?$/);
  expect(stderr).toBe('');
});

test.each([
  ['--html', 'a.html', '--jq', '.'],
  ['--html', 'a.html', '--fields', 'steps.name'],
  ['--html', 'a.html', '--json'],
  ['--html', ''],
  ['--limit', '0'],
  ['--all', '--limit', '3'],
  ['--jq', '.['],
  ['--fields', 'nothing'],
])('rejects %j %j %j %j before any request', async (...args) => {
  const { exitCode, stdout } = await stats([], args);
  expect([exitCode, stdout]).toEqual([2, '']);
});

test.each([
  [['-b', 'next'], '&state=finished&branch=next'],
  [['-c', commit], `&state=finished&commit=${commit}`],
  [['-b', 'next', '-s', 'failed'], '&state=failed&branch=next'],
  [['-b', 'next', '-L', '7'], '&state=finished&branch=next'],
  [['-b', 'next', '--include-retried-jobs'], '&state=finished&branch=next'],
])('%j requests only those', async (args, query) => {
  const size = args.includes('-L') ? 7 : 100;
  const path = `${list}?per_page=${size}${query}&include_retried_jobs=true`;
  const { stdout } = await stats(
    [{ path, answer: { json: builds } }],
    [...args, '--jq', '.branches[]?'],
  );
  expect(stdout).toBe(args.includes('-b') ? 'next\n' : '');
});

test('says so without builds', async () => {
  const empty = (exchange: Exchange) => ({ ...exchange, answer: { json: [] } });
  const path = `${list}?per_page=100&state=finished&include_retried_jobs=true`;
  const { stdout, stderr, exitCode } = await stats(
    [empty(newest), { path, answer: { json: [] } }],
    [],
  );
  expect([stdout, stderr, exitCode]).toEqual(['', 'no finished builds found\n', 0]);
});

test("an organization counts finished builds of each pipeline's default branch", async () => {
  const api = { pipeline: { slug: 'api', default_branch: 'trunk' } };
  const { stdout } = await stats(
    [
      {
        path: '/v2/organizations/acme/builds?per_page=100&include_retried_jobs=true',
        answer: {
          json: [
            finishedBuild(5, 'test:passed', { ...api, branch: 'main' }),
            finishedBuild(4, 'test:passed', { ...api, branch: 'trunk' }),
            finishedBuild(3, 'test:running', { state: 'running' }),
            finishedBuild(2, 'test:failed'),
          ],
        },
      },
    ],
    ['--all-pipelines', '--jq', '[.branches, (.steps | map([.pipeline, .runs]))]'],
  );
  expect(JSON.parse(stdout)).toEqual([
    ['main', 'trunk'],
    expect.arrayContaining([
      ['web', 1],
      ['api', 1],
    ]),
  ]);
});

test('requests many builds in several pages at once', async () => {
  const eight = meeting(8);
  const { url, most, requests } = await longList({
    count: 40,
    members: (number) => finishedBuild(number, number % 4 === 0 ? 'test:failed' : 'test:passed'),
    before: ({ number, address }) =>
      address.searchParams.get('per_page') !== '1' && number > 1 ? eight() : undefined,
  });
  const env = { ...leadTo(url), CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' };
  const result = await cictl(
    ['builds', 'stats', '--all', '--jq', '.builds | [.runs, .pass_rate]'],
    { env },
  );
  expect(JSON.parse(result.stdout)).toEqual([40, 0.75]);
  expect(most()).toBeGreaterThanOrEqual(8);
  expect(requests).toHaveLength(1 + 20);
});

test('says so if it gives up because most builds are on other branches', async () => {
  const { url } = await longList({
    count: 1100,
    perPage: 100,
    members: (number) => ({ ...finishedBuild(number, ''), branch: 'other' }),
  });
  const env = { ...leadTo(url), CICTL_ORG: 'acme' };
  const args = ['builds', 'stats', '--all-pipelines', '--jq', '.builds.runs'];
  const { stdout, stderr } = await cictl(args, { env });
  expect(stdout).toBe('0\n');
  expect(stderr).toBe('used only the newest 1000 builds; to use all: --all\n');
});

test('reports an element that is not a build as an error of the service', async () => {
  const answer = { json: [{ ...builds[0], jobs: 'none' }] };
  const { exitCode, stdout, stderr } = await stats([newest, { ...finished, answer }], []);
  expect([exitCode, stdout]).toEqual([9, '']);
  expect(stderr).toContain('jobs is a string instead of an array');
});

test('shows a hostile name as text', async () => {
  const build = finishedBuild(1, 'test:passed');
  Object.assign(build.jobs?.[0] ?? {}, {
    name: '</title><script>alert(1)</script>\u001b[31m\u202e',
  });
  const answers: Exchange[] = [newest, { ...finished, answer: { json: [build] } }];
  const home = await useHome();
  await stats(answers, ['--html', 'out.html'], { home });
  const html = await readFile(join(home.cwd, 'out.html'), 'utf8');
  expect(html).not.toContain('<script');
  expect(html).not.toMatch(/[\u001b\u202e]/);
  const { stdout } = await stats(answers, ['-o', 'table']);
  expect(stdout).not.toMatch(/[\u001b\u202e]/);
});
