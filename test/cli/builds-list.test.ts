/** `builds list` with another service that implements the same API. */
import { expect, test } from 'vitest';
import { cictl, type CliOptions } from '../support/cli.ts';
import { serve, type Exchange } from '../support/server.ts';

const base = '/v2/organizations/acme/pipelines/web/builds';

/** Lists with `args` against a server that expects exactly these requests. */
async function list(
  args: readonly string[],
  exchanges: readonly Exchange[] | ((url: string) => readonly Exchange[]),
  options: CliOptions = {},
) {
  const { url } = await serve(exchanges);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 'token-of-a-test', ...options.env };
  return cictl(['builds', 'list', ...args], { ...options, env });
}

const known = { CICTL_ORG: 'acme', CICTL_PIPELINE: 'web' };

const strange = `[{"number":7,"state":"levitating","blocked":null,"creator":null,
  "huge":12345678901234567890,"pi":3.14159265358979323846,"tiny":1e-400,
  "nested":{"__proto__":{"a":1},"list":[null,true,{}]},"text":"\\u2028<&>"}]`;

test('prints with --json what the service sent', async () => {
  const { stdout, exitCode } = await list(
    ['--json'],
    [{ path: `${base}?per_page=30`, answer: { body: strange } }],
    { env: known },
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(strange));
  expect(Object.keys((JSON.parse(stdout) as [{ nested: object }])[0].nested)).toContain(
    '__proto__',
  );
  for (const digits of ['12345678901234567890', '3.14159265358979323846', '1e-400']) {
    expect(stdout).toContain(digits);
  }
});

test.each([
  [['web'], base],
  [['acme/web'], base],
  [['https://buildkite.com/acme/web'], base],
  [['--org', 'acme', '-p', 'web'], base],
  [['-p', 'web', '--all-pipelines'], '/v2/organizations/acme/builds'],
  [['--org', 'other'], '/v2/organizations/other/builds'],
])('%j requests %s', async (args, path) => {
  const env = { CICTL_ORG: 'acme' };
  const { exitCode, stdout, stderr } = await list(
    args,
    [{ path: `${path}?per_page=30`, answer: { json: [] } }],
    { env },
  );
  expect([exitCode, stdout, stderr]).toEqual([0, '', expect.stringContaining('no builds found')]);
});

test('lists all organizations on request, or if none is known', async () => {
  const answer = {
    json: [{ number: 3, pipeline: { slug: 'web' }, url: 'x/v2/organizations/acme/p' }],
  };
  const exchange = { path: '/v2/builds?per_page=30', answer };
  const plain = await list(['--fields', 'number'], [exchange]);
  const asked = await list(['--all-orgs', '--fields', 'number'], [exchange], { env: known });
  expect([plain.stdout, asked.stdout]).toEqual(['3\n', '3\n']);
});

const userId = '018f5a3e-1111-4222-8333-944445555666';

test('sends every filter, repeated ones as a list, times in UTC', async () => {
  const commit = 'a'.repeat(40);
  const args = [
    ...['-s', 'failed', '-s', 'canceled', '-b', 'main', '-b', 'feature/x', '-c', commit],
    ...['--creator', userId, '--created-from', '2026-01-02T03:04:05+02:00'],
    ...['--created-to', '2026-11-20', '--finished-from', '2026-01-01T00:00:00Z'],
    ...['--meta-data', 'release=1=2', '--include-retried-jobs', '-L', '5'],
  ];
  let query = new URLSearchParams();
  const { url, requests } = await serve([{ path: /builds\?/, answer: { json: [] } }]);
  await cictl(['builds', 'list', ...args], {
    env: { ...known, CICTL_BASE_URL: url, CICTL_TOKEN: 't' },
  });
  query = new URL(requests[0]?.path ?? '', url).searchParams;
  expect([...query].sort().map((pair) => pair.join('='))).toEqual(
    [
      'per_page=5',
      'state[]=failed',
      'state[]=canceled',
      'branch[]=main',
      'branch[]=feature/x',
      `commit=${commit}`,
      `creator=${userId}`,
      'created_from=2026-01-02T01:04:05.000Z',
      'created_to=2026-11-20T00:00:00.000Z',
      'finished_from=2026-01-01T00:00:00.000Z',
      'meta_data[release]=1=2',
      'include_retried_jobs=true',
    ].sort(),
  );
});

test('requests as many pages as the limit needs, silently in a pipe', async () => {
  const page = (from: number) => [from, from + 1].map((number) => ({ id: `b${number}`, number }));
  const link = (url: string, at: number) => ({ link: `<${url}${base}?page=${at}>; rel="next"` });
  const { stdout, stderr } = await list(
    ['-L', '3', '--fields', 'number'],
    (url) => [
      { path: `${base}?per_page=3`, answer: { json: page(1), headers: link(url, 2) } },
      { path: `${base}?page=2`, answer: { json: page(3), headers: link(url, 3) } },
    ],
    { env: known },
  );
  expect(stdout).toBe('1\n2\n3\n');
  expect(stderr).toBe('');
});

test('requests no page that it does not show', async () => {
  const { stdout, stderr } = await list(
    ['-L', '1', '-o', 'jsonl'],
    (url) => [
      {
        path: `${base}?per_page=1`,
        answer: { json: [{ number: 1 }], headers: { link: `<${url}/next>; rel="next"` } },
      },
    ],
    { env: known },
  );
  expect(stdout).toBe('{"number":1}\n');
  expect(stderr).toBe('');
});

test.each([
  [['--all', '--limit', '5'], '--all and --limit'],
  [['--all-orgs', '--org', 'acme'], '--all-orgs and --org'],
  [['--all-orgs', '-p', 'web'], '--all-orgs and --pipeline'],
  [['--all-orgs', 'web'], '--all-orgs and TARGET'],
  [['--json', '-o', 'tsv'], '--json'],
  [['--limit', '0'], '--limit'],
  [['-c', 'abc123'], 'full SHA'],
  [['--created-from', 'soonish'], 'soonish'],
  [['--meta-data', 'novalue'], '--meta-data'],
  [['--jq', '.['], 'jq'],
  [['../etc'], '..'],
  [['acme/../x'], '..'],
  [['a?b'], '?'],
])('rejects %j with exit code 2 and sends nothing', async (args, words) => {
  const { exitCode, stdout, stderr } = await list(args, [], { env: known });
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(words);
  expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
});

test.each([
  [{ status: 401, json: { message: 'Authentication required.' } }, 6],
  [{ status: 403, json: { message: "Your access token doesn't have the read_builds scope" } }, 6],
  [{ status: 404, json: { message: 'No pipeline found' } }, 7],
  [{ status: 400, json: { message: 'no' } }, 8],
  [{ status: 422, json: { message: 'Validation Failed', errors: [{ field: 'a', code: 'b' }] } }, 8],
  [{ body: '<html>sign in</html>' }, 9],
  [{ body: '' }, 9],
  [{ body: '[{"number":' }, 9],
  [{ raw: 'garbage\r\n\r\n' }, 9],
])('after the response %j, exits with %i and one line', async (answer, code) => {
  const exchange: Exchange = { path: `${base}?per_page=30`, answer };
  const exchanges = Array<Exchange>('raw' in answer ? 3 : 1).fill(exchange);
  // The existing pipelines, requested for a suggestion.
  if (code === 7) exchanges.push({ path: /pipelines\?per_page=100$/, answer: { json: [] } });
  const { exitCode, stdout, stderr } = await list(['-q'], exchanges, { env: known });
  expect([exitCode, stdout]).toEqual([code, '']);
  expect(stderr).toMatch(/^cictl: [^\n]+\n(?: {2}try: [^\n]+\n)?$/);
  expect(stderr).not.toContain('token-of-a-test');
});

test('prints an error as JSON with --json, with code and status', async () => {
  const { stderr, exitCode } = await list(
    ['--json'],
    [
      { path: /./, answer: { status: 404, json: { message: 'No organization found' } } },
      { path: '/v2/organizations?per_page=100', answer: { json: [] } },
    ],
    { env: known },
  );
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { error: object };
  expect(exitCode).toBe(7);
  expect(error).toEqual({
    code: 7,
    kind: 'not_found',
    status: 404,
    message: expect.stringContaining('organization') as string,
    details: ['No organization found'],
    hint: 'cictl orgs list',
  });
});

test('names both next steps without profile and token', async () => {
  const { exitCode, stderr } = await cictl(['builds', 'list']);
  expect(exitCode).toBe(6);
  expect(stderr).toContain('cictl auth login');
  expect(stderr).toContain('cictl local up');
});
