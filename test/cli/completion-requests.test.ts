/** The requests that completion sends, and its candidates. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { createRepository } from '../support/git-repository.ts';
import { useHome, type Home } from '../support/home.ts';
import { serve, type Exchange } from '../support/server.ts';
import { sampled } from '../support/full.ts';

const list = '/v2/organizations/acme/pipelines/web/builds?per_page=30';
const two = [
  { number: 142, state: 'passed', blocked: true, message: 'Release\n\nall of it' },
  { number: 141, state: 'not_run', message: 'Rework\tthe \x1b[31mcheckout' },
];

/** Completes as a user of that service; returns the candidates as printed. */
async function complete(url: string, home: Home, ...words: string[]): Promise<string[]> {
  const env = {
    ...{ CICTL_BASE_URL: url, CICTL_TOKEN: 'secret', CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' },
    CICTL_AGENT_TOKEN: 'agents',
  };
  const { stdout, stderr, exitCode } = await cictl(['__complete', ...words], { home, env });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout.split('\n').slice(0, -1);
}

const answered = [
  '142\tblocked  Release',
  '141\tnot run  Rework the checkout',
  'latest\tthe newest build',
];

test('sends one request with the token, and none at the next Tab', async () => {
  const home = await useHome();
  const headers = { authorization: 'Bearer secret' };
  const { url } = await serve([{ path: list, headers, answer: { json: two } }]);
  expect(await complete(url, home, 'builds', 'view', '')).toEqual(answered);
  expect(await complete(url, home, 'builds', 'view', '14')).toEqual(answered.slice(0, 2));
  expect(await complete(url, home, 'builds', 'rebuild', 'lat')).toEqual(answered.slice(2));
});

test('requests a number that is not in the cache', async () => {
  const home = await useHome();
  const next = [{ number: 200, state: 'running' }, ...two];
  const { url } = await serve([
    { path: list, answer: { json: two } },
    { path: list, answer: { json: next } },
  ]);
  await complete(url, home, 'builds', 'view', '');
  expect(await complete(url, home, 'builds', 'view', '2')).toEqual(['200\trunning']);
});

test('with --no-cache, each Tab is a request and nothing is written', async () => {
  const home = await useHome();
  const exchange = { path: list, answer: { json: two } };
  const { url } = await serve([exchange, exchange]);
  for (const verb of ['view', 'rebuild']) {
    expect(await complete(url, home, '--no-cache', 'builds', verb, '')).toEqual(answered);
  }
  expect(await readdir(join(home.cacheDir, 'logs')).catch(() => [])).toEqual([]);
});

test('the cache is private to its user and token', async () => {
  const home = await useHome();
  const exchange = { path: list, answer: { json: two } };
  const { url } = await serve([exchange, exchange]);
  await complete(url, home, 'builds', 'view', '');
  const [account = ''] = await readdir(join(home.cacheDir, 'logs'));
  const folder = join(home.cacheDir, 'logs', account);
  const [file = ''] = await readdir(folder);
  const modes = await Promise.all([folder, join(folder, file)].map((path) => stat(path)));
  expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 'other', CICTL_ORG: 'acme' };
  await cictl(['__complete', '-p', 'web', 'builds', 'view', ''], { home, env });
});

const failures: readonly (readonly [string, Exchange['answer']])[] = [
  ['no answer', { fault: 'hang' }],
  ['half of one', { json: two, fault: 'stall' }],
  ['a broken connection', { fault: 'reset' }],
  ['an error', { status: 503, headers: { 'retry-after': '0' } }],
  ['a limit', { status: 429, headers: { 'retry-after': '0' } }],
  ['a refused token', { status: 401, json: { message: 'no' } }],
  ['another place', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
  ['no JSON', { body: '<html>' }],
  ['no list', { json: { message: 'no' } }],
  ['a list of nothing', { json: [null, 1, 'a', [], {}] }],
  ['names that cannot be typed', { json: [{ number: '1\n2' }, { number: '\x1b[31m' }] }],
];

sampled.each(failures)(
  '%s: nothing is offered, nothing said, nothing asked again',
  async (_, answer) => {
    const home = await useHome();
    const { url } = await serve([{ path: list, ...(answer && { answer }) }]);
    expect(await complete(url, home, 'builds', 'view', '1')).toEqual([]);
  },
);

test('does not request again right after a failure', async () => {
  const home = await useHome();
  const { url } = await serve([{ path: list, answer: { status: 500 } }]);
  expect(await complete(url, home, 'builds', 'view', '')).toEqual([]);
  expect(await complete(url, home, 'builds', 'view', '')).toEqual([]);
});

test('handles an unreachable service', async () => {
  expect(await complete('http://127.0.0.1:9', await useHome(), 'builds', 'view', '')).toEqual([]);
});

test('requests nothing without a token', async () => {
  const { url } = await serve([]);
  const env = { CICTL_BASE_URL: url, CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' };
  const result = await cictl(['__complete', 'builds', 'view', ''], { env });
  expect(result).toMatchObject({ stdout: '', stderr: '', exitCode: 0 });
});

const ofOrganization = '/v2/organizations/acme/builds?per_page=100';
const both = [
  { number: 9, state: 'passed', message: 'a', pipeline: { slug: 'api' } },
  { number: 142, state: 'failed', message: 'b', pipeline: { slug: 'web' } },
  { number: 8, state: 'passed', message: 'c', pipeline: { slug: 'api' } },
];
const jobs = {
  jobs: [
    { id: 'u-1', type: 'script', step_key: 'unit', state: 'failed', name: 'Unit tests' },
    { type: 'waiter', id: 'w-1' },
    {
      ...{ id: 'p-1', type: 'script', step_key: 'e2e', state: 'timed_out', name: 'End' },
      ...{ parallel_group_index: 0, parallel_group_total: 2 },
    },
    { id: 'p-2', type: 'script', step_key: 'e2e', state: 'passed', name: 'End' },
    { id: 'g-1', type: 'manual', step_key: 'gate', state: 'blocked', label: 'Release?' },
  ],
};
const oneBuild = {
  path: '/v2/organizations/acme/pipelines/web/builds/142',
  answer: { json: jobs },
};
const all: Exchange = { path: ofOrganization, answer: { json: both } };

test.each<[string, string[], Exchange, string[]]>([
  ['references', ['builds', 'view', 'we'], all, ['web/142']],
  ['pipelines', ['builds', 'list', ''], all, ['api', 'web']],
  ['a pipeline of its organization', ['builds', 'list', 'acme/a'], all, ['acme/api']],
  ['--pipeline', ['-p', 'w'], all, ['web']],
  ['the pipelines of a rule', ['rules', 'create', '--source=a'], all, ['--source=api']],
  [
    'builds of another pipeline',
    ['builds', 'view', 'api/'],
    {
      path: '/v2/organizations/acme/pipelines/api/builds?per_page=30',
      answer: { json: [{ number: 9 }] },
    },
    ['api/9', 'api/latest'],
  ],
  [
    'builds of another organization',
    ['builds', 'view', 'corp/api/'],
    {
      path: '/v2/organizations/corp/pipelines/api/builds?per_page=30',
      answer: { json: [{ number: 9 }] },
    },
    ['corp/api/9', 'corp/api/latest'],
  ],
  [
    'unfinished builds to cancel, those not typed yet',
    ['builds', 'cancel', '1', ''],
    {
      path: list,
      answer: {
        json: [
          { number: 1, state: 'running' },
          { number: 2, state: 'failing' },
          { number: 3, state: 'passed' },
          { number: 4, state: 'passed', blocked: true },
        ],
      },
    },
    ['2', '4'],
  ],
  [
    'builds of a job',
    ['job', 'log', ''],
    { path: list, answer: { json: two } },
    ['142#', '141#', 'latest#'],
  ],
  ['jobs', ['job', 'log', '142#'], oneBuild, ['142#unit', '142#p-1', '142#p-2', '142#gate']],
  ['jobs of --build', ['job', 'view', '--build', '142', 'g'], oneBuild, ['gate']],
  ['jobs to retry', ['job', 'retry', '142#'], oneBuild, ['142#unit', '142#p-1']],
  ['steps to unblock', ['job', 'unblock', 'web/142#'], oneBuild, ['web/142#gate']],
  [
    'jobs of an address',
    ['job', 'log', 'https://ci.example.com/acme/web/builds/142#un'],
    oneBuild,
    ['https://ci.example.com/acme/web/builds/142#unit'],
  ],
  [
    'jobs of the newest build',
    ['job', 'log', 'latest#u'],
    {
      path: '/v2/organizations/acme/pipelines/web/builds?per_page=1',
      answer: { json: [jobs] },
    },
    ['latest#unit'],
  ],
  [
    'organizations',
    ['--org', 'a'],
    {
      path: '/v2/organizations?per_page=100',
      answer: { json: [{ slug: 'acme', name: 'Acme' }, { slug: 'corp' }] },
    },
    ['acme'],
  ],
  [
    'contexts',
    ['annotations', 'view', '--build', 'web/142', ''],
    {
      path: '/v2/organizations/acme/pipelines/web/builds/142/annotations?per_page=100',
      answer: { json: [{ context: 'lint', style: 'error', body_html: '<p>No</p>' }] },
    },
    ['lint'],
  ],
  [
    'rules',
    ['rules', 'view', ''],
    {
      path: '/v2/organizations/acme/rules?per_page=100',
      answer: { json: [{ uuid: 'r-1', type: 'pipeline.trigger_build.pipeline' }] },
    },
    ['r-1'],
  ],
  [
    'queues, with jobs alone too',
    ['metrics', '--queue', ''],
    {
      path: '/v3/metrics',
      headers: { authorization: 'Token agents' },
      answer: {
        json: {
          agents: { queues: { default: { total: 2 } } },
          jobs: { queues: { default: {}, deploy: {} } },
        },
      },
    },
    ['default', 'deploy'],
  ],
])('%s: one request', async (_, words, exchange, expected) => {
  const { url } = await serve([exchange]);
  const lines = await complete(url, await useHome(), ...words);
  expect(lines.map((text) => text.split('\t')[0])).toEqual(expected);
});

/** A user in a checkout, without a configured pipeline. */
async function inCheckout() {
  const home = await useHome();
  const repository = createRepository(join(home.root, 'checkout'));
  const run = (url: string, ...args: string[]) =>
    cictl(args, {
      ...{ home, cwd: repository.folder },
      env: { CICTL_BASE_URL: url, CICTL_TOKEN: 'secret', CICTL_ORG: 'acme' },
    });
  return { ...repository, run };
}

test('uses the organization and pipeline of git config', async () => {
  const { git, run } = await inCheckout();
  git('config', 'cictl.pipeline', 'web');
  const { url } = await serve([{ path: list, answer: { json: two } }]);
  const { stdout } = await run(url, '__complete', 'builds', 'view', '141');
  expect(stdout).toBe('141\tnot run  Rework the checkout\n');
});

test('uses the remembered pipeline of the remote', async () => {
  const { git, run } = await inCheckout();
  git('remote', 'add', 'origin', 'git@ci.example.com:acme/web.git');
  const web = { slug: 'web', repository: 'https://ci.example.com/acme/web' };
  const found = { number: 142, state: 'running' };
  const ofWeb = /^\/v2\/organizations\/acme\/pipelines\/web\/builds/;
  const { url } = await serve([
    { path: /^\/v2\/organizations\/acme\/pipelines\?/, answer: { json: [web] } },
    ...[ofWeb, list].map((path) => ({ path, answer: { json: [found] } })),
  ]);
  expect(await run(url, 'builds', 'list')).toMatchObject({ exitCode: 0 });
  for (const command of ['view', 'cancel'])
    expect((await run(url, '__complete', 'builds', command, '1')).stdout).toBe('142\trunning\n');
});
