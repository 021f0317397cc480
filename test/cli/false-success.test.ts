/** A success status is not trusted: the content must be what was requested. */
import { expect, test } from 'vitest';
import { acme, against } from '../support/against.ts';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { serve, type CannedResponse } from '../support/server.ts';
import { sampled } from '../support/full.ts';

const base = `${acme}/pipelines/web/builds`;
const job = '11111111-2222-4333-8444-555555555555';
const uuid = '42f1a7da-812d-4430-93d8-1cc7c33a6bcf';

const page: CannedResponse = {
  body: '<!doctype html><title>Sign in</title>',
  headers: { 'content-type': 'text/html' },
};
const empty: CannedResponse = { body: '' };
const greeting: CannedResponse = { json: { message: 'Welcome back' } };
const nothing: CannedResponse = { json: {} };

const deletions = [
  { args: ['rules', 'delete', uuid, '-y'], path: `${acme}/rules/${uuid}` },
  { args: ['job', 'delete-log', `web/7#${job}`, '-y'], path: `${base}/7/jobs/${job}/log` },
  { args: ['token', 'revoke', '-y'], path: '/v2/access-token' },
];
const notDone: [string, CannedResponse][] = [
  ['a sign-in page', page],
  ['200 without a body', empty],
  ['200 with JSON', greeting],
  ['202', { status: 202, json: {} }],
];

sampled.each(
  deletions.flatMap((deletion) => notDone.map(([what, answer]) => ({ ...deletion, what, answer }))),
)('$args is not done by $what', async ({ args, path, answer }) => {
  const result = await against([{ method: 'DELETE', path, answer }], [...args, '--json']);
  expect([result.exitCode, result.stdout]).toEqual([9, '']);
  expect(result.stderr).toMatch(/instead of 204.*the request may have arrived/);
  expect(result.stderr).toContain('"kind":"invalid_response"');
  expect(result.stderr).not.toMatch(/ is (revoked|deleted)/);
});

const put = (path: string) => ({ method: 'PUT', path: `${base}/8${path}` });
const post = (path: string) => ({ method: 'POST', path });
const changes = [
  { args: ['builds', 'create', '-c', 'x', '-b', 'y'], request: post(base) },
  { args: ['builds', 'cancel', '8', '-y'], request: put('/cancel') },
  { args: ['builds', 'rebuild', '8'], request: put('/rebuild') },
  { args: ['annotate', 'text', '--build', '8'], request: post(`${base}/8/annotations`) },
  {
    args: ['rules', 'create', '--type', 'pipeline.trigger_build.pipeline', '--value', '{}'],
    request: post(`${acme}/rules`),
  },
];
const unlike: [string, CannedResponse][] = [
  ['a sign-in page', page],
  ['nothing', empty],
  ['204', { status: 204 }],
  ['an empty object', nothing],
  ['another object', greeting],
  ['an identity of a wrong type', { json: { id: {}, number: '8', uuid: 1, type: [], context: 5 } }],
];

sampled.each(
  changes.flatMap((change) => unlike.map(([what, answer]) => ({ ...change, what, answer }))),
)('$args is not done by $what', async ({ args, request, answer }) => {
  for (const more of [[], ['--json']]) {
    const { exitCode, stdout, stderr } = await against(
      [{ ...request, answer }],
      [...args, ...more],
    );
    expect([exitCode, stdout]).toEqual([9, '']);
    expect(stderr).toContain('the request may have arrived');
    expect(stderr).not.toContain('unexpected');
  }
});

const looked = {
  path: `${base}/8`,
  answer: { json: { number: 8, jobs: [{ id: job, type: 'manual', state: 'blocked' }] } },
};

sampled.each([
  ['retry', unlike],
  ['unblock', unlike],
] as const)('job %s is done by a job alone', async (verb, answers) => {
  for (const [, answer] of answers) {
    const request = { ...put(`/jobs/${job}/${verb}`), answer };
    const args = ['job', verb, `web/8#${job}`];
    const { exitCode, stdout, stderr } = await against([looked, request], args);
    expect([exitCode, stdout]).toEqual([9, '']);
    expect(stderr).toContain('the request may have arrived');
  }
});

test('cancel exits with 9 if the response is another build', async () => {
  const answer = { json: { number: 9, state: 'canceled', web_url: 'https://ci/9' } };
  const { exitCode, stdout, stderr } = await against(
    [{ ...put('/cancel'), answer }],
    ['builds', 'cancel', '8', '-y'],
  );
  expect([exitCode, stdout]).toEqual([9, '']);
  expect(stderr).toContain('the response is build 9; the request may have arrived');
});

const token = { path: '/v2/access-token', answer: { json: { uuid, scopes: ['graphql'] } } };

async function logIn(home: Home, url: string): Promise<void> {
  const args = ['auth', 'login', '--profile', 'work', '--service', url, '--with-token'];
  expect((await cictl(args, { home, stdin: 'access-token\n' })).exitCode).toBe(0);
}

sampled.each([[['token', 'revoke', '--yes']], [['auth', 'logout', '--revoke', '--yes']]])(
  '%j keeps the token where a page answers',
  async (args) => {
    const home = await useHome();
    const { url } = await serve([
      token,
      { method: 'DELETE', path: '/v2/access-token', answer: page },
    ]);
    await logIn(home, url);
    const { exitCode, stderr } = await cictl(args, { home });
    expect(exitCode).toBe(9);
    expect(stderr).not.toMatch(/is revoked|dropped|logged out/);
    expect((await cictl(['auth', 'token'], { home })).stdout).toBe('access-token\n');
  },
);

test.each<[string, CannedResponse]>([
  ['a sign-in page', page],
  ['an empty object', nothing],
  ['another object', greeting],
  ['scopes that are no list', { json: { uuid, scopes: 'read_builds' } }],
  ['scopes that are no texts', { json: { uuid, scopes: [{}] } }],
])('auth login rejects %s as a token', async (_, answer) => {
  const home = await useHome();
  const { url } = await serve([{ path: '/v2/access-token', answer }]);
  const args = ['auth', 'login', '--profile', 'work', '--service', url, '--with-token'];
  const { exitCode, stderr } = await cictl(args, { home, stdin: 'access-token\n' });
  expect(exitCode).toBe(9);
  expect(stderr).not.toContain('unexpected');
  expect((await cictl(['auth', 'token'], { home })).exitCode).toBe(6);
});

test.each<[string, unknown, string]>([
  ['no object', { env: [] }, 'env is an array'],
  ['missing', {}, 'env is missing'],
  ['null', { env: null }, 'env is null'],
  ['of numbers', { env: { PORT: 80 } }, 'env.PORT is a number'],
  ['of objects', { env: { A: 'x', B: {} } }, 'env.B is an object'],
])('an environment that is %s exits with 9', async (_, json, words) => {
  for (const format of ['dotenv', 'export', 'json', 'table']) {
    const { exitCode, stdout, stderr } = await against(
      [{ path: `${base}/7/jobs/${job}/env`, answer: { json } }],
      ['job', 'env', `web/7#${job}`, '--format', format],
    );
    expect([exitCode, stdout]).toEqual([9, '']);
    expect(stderr).toContain(words);
  }
});

sampled.each([page, nothing, greeting, { json: { organization: 'acme' } }])(
  'auth login --agent takes %j for no metrics',
  async (answer) => {
    const home = await useHome();
    const { url } = await serve([{ path: '/v3/metrics', answer }]);
    const args = [
      'auth',
      'login',
      '--profile',
      'work',
      '--service',
      url,
      '--with-token',
      '--agent',
    ];
    const { exitCode, stderr } = await cictl(args, { home, stdin: 'agent-token\n' });
    expect(exitCode).toBe(9);
    expect(stderr).not.toContain('logged in');
  },
);

const logOf = (answer: CannedResponse) => [{ path: `${base}/7/jobs/${job}/log`, answer }];
const readLog = ['job', 'log', `web/7#${job}`, '--json'];

test.each<[string, CannedResponse, string]>([
  ['a page', page, 'HTML, not JSON'],
  [
    'a page that says it is JSON',
    { body: '<p>', headers: { 'content-type': 'application/json' } },
    'HTML',
  ],
  ['nothing', empty, 'empty'],
  ['an array', { json: [] }, 'is an array instead of an object'],
  ['a text', { json: 'content' }, 'is a string instead of an object'],
  ['another object', greeting, 'content is missing'],
  ['content that is no text', { json: { content: 5, size: 1 } }, 'content is a number'],
  ['content that is null', { json: { content: null, size: 1 } }, 'content is null'],
  ['a size that is a text', { json: { content: 'a', size: '1' } }, 'size is a string'],
  ['members of a member', { json: { log: { content: 'a', size: 1 } } }, 'content is missing'],
  ['a log', { body: 'line 1' }, 'malformed JSON'],
  ['half an object', { body: '{"content":"a","size":1' }, 'malformed JSON'],
  ['an object and more', { body: '{"content":"a","size":1}}' }, 'malformed JSON'],
  ['an object with a cut text', { body: '{"size":1,"content":"a\\"}' }, 'malformed JSON'],
])('job log --json rejects %s as a log', async (_, answer, words) => {
  for (const more of [[], ['--jq', '.']]) {
    const { exitCode, stdout, stderr } = await against(logOf(answer), [...readLog, ...more]);
    expect([exitCode, stdout]).toEqual([9, '']);
    if (more.length === 0) expect(stderr).toContain(words);
  }
});

test('a large log that breaks off exits with 9 and keeps the printed part', async () => {
  const body = `{"content":"${'a\\n'.repeat(200_000)}"`;
  const { exitCode, stdout, stderr } = await against(logOf({ body }), readLog);
  expect(exitCode).toBe(9);
  expect(body.startsWith(stdout.trimEnd())).toBe(true);
  expect(stderr).toContain('the response is malformed JSON');
});

test('a large log with a wrong size exits with code 9 and keeps what was printed', async () => {
  const body = `{"content":"${'a\\n'.repeat(200_000)}","size":"x"}`;
  const { exitCode, stdout, stderr } = await against(logOf({ body }), readLog);
  expect(exitCode).toBe(9);
  expect(body.startsWith(stdout.trimEnd())).toBe(true);
  expect(stderr).toContain('size is a string instead of an integer');
});

test('job log --json prints a log unchanged, whatever it contains', async () => {
  const content = String.raw`\"}{[\\\" \u0000 é`.repeat(30_000);
  const body = ` {"a":{"size":"x","content":[{}]},"content" : "${content}","size":9007199254740993}\n`;
  const { exitCode, stdout } = await against(logOf({ body }), readLog);
  expect([exitCode, stdout === body]).toEqual([0, true]);
});

const agents = { idle: 1, busy: 2, total: 3, queues: { default: { idle: 1, busy: 2, total: 3 } } };
const jobs = { scheduled: 1, running: 2, waiting: 3, total: 6, queues: {} };

test.each<[string, unknown, string]>([
  ['without members', {}, 'agents is missing'],
  ['of another service', { message: 'Welcome' }, 'agents is missing'],
  ['without jobs', { agents }, 'jobs is missing'],
  ['with lists', { agents: [], jobs: [] }, 'agents is an array'],
  [
    'with a text for a count',
    { agents: { ...agents, busy: '2' }, jobs },
    'agents.busy is a string',
  ],
  [
    'with an object for a count',
    { agents, jobs: { ...jobs, total: {} } },
    'jobs.total is an object',
  ],
  [
    'with queues in a list',
    { agents: { ...agents, queues: [] }, jobs },
    'agents.queues is an array',
  ],
  [
    'with a queue of null',
    { agents, jobs: { ...jobs, queues: { q: null } } },
    'jobs.queues.q is null',
  ],
  [
    'with a text in a queue',
    { agents, jobs: { ...jobs, queues: { q: { scheduled: 'x' } } } },
    'jobs.queues.q.scheduled is a string',
  ],
  ['without counts', { agents: {}, jobs: {} }, 'agents.idle is missing'],
  ['with a count of null', { agents, jobs: { ...jobs, waiting: null } }, 'jobs.waiting is null'],
  ['with an empty queue', { agents, jobs: { ...jobs, queues: { q: {} } } }, 'jobs.queues.q.sch'],
  ['of nobody', { agents, jobs, organization: { slug: {} } }, 'organization.slug is an object'],
])('metrics %s exit with 9', async (_, json, words) => {
  for (const format of ['table', 'json', 'prometheus', 'statsd']) {
    const { exitCode, stdout, stderr } = await against(
      [{ path: '/v3/metrics', answer: { json } }],
      ['metrics', '--format', format],
    );
    expect([exitCode, stdout]).toEqual([9, '']);
    expect(stderr).toContain(words);
  }
});

test('rejects metrics that JavaScript would round', async () => {
  const body = JSON.stringify({ agents, jobs }).replace('"total":6', '"total":9007199254740993');
  const answer = { path: '/v3/metrics', answer: { body } };
  const { exitCode, stderr } = await against([answer], ['metrics', '--format', 'prometheus']);
  expect(exitCode).toBe(9);
  expect(stderr).toContain('jobs.total is a number instead of an integer below 2^53');
});

test('builds watch ignores the end of another build', async () => {
  const json = { id: 'b', number: 9, state: 'passed', jobs: [] };
  const line = ['builds', 'watch', '8', '-i', '20s', '--timeout', '1h'];
  const exchange = { path: `${acme}/pipelines/web/builds/8`, answer: { json } };
  const { exitCode, stdout, stderr } = await against([exchange], line);
  expect([exitCode, stdout]).toEqual([9, '']);
  expect(stderr).toContain('the response is build 9');
});
