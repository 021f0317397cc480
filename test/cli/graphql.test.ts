/** `graphql` sends the query unchanged and prints the response as received. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { against, leadTo } from '../support/against.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve, type Exchange } from '../support/server.ts';
import { sampled } from '../support/full.ts';

const query = '{ viewer { user { name } } }';

const post = (body: unknown, answer: Exchange['answer'] = { body: '{"data":{}}' }): Exchange => ({
  method: 'POST',
  path: '/v1',
  headers: { authorization: 'Bearer access-token', 'content-type': 'application/json' },
  body,
  answer,
});

test('prints the response unchanged', async () => {
  const text = '{ "data":\n {"n": 12345678901234567890, "x": "\\u001b"} }';
  const { stdout, exitCode } = await against([post({ query }, { body: text })], ['graphql', query]);
  expect([exitCode, stdout]).toEqual([0, text]);
});

sampled.each([
  ['standard input', '-', query],
  ['standard input by @-', '@-', query],
  ['a file', '@query.graphql', ''],
])('takes the query from %s', async (_, word, stdin) => {
  const home = await useHome();
  await writeFile(join(home.cwd, 'query.graphql'), query);
  expect((await against([post({ query })], ['graphql', word], { home, stdin })).exitCode).toBe(0);
});

test('reads variables as strings, typed, from a file and from JSON', async () => {
  const home = await useHome();
  await writeFile(join(home.cwd, 'text'), 'from\na file');
  const flags = [
    ...['-f', 's=1', '-f', 'e=', '-F', 'n=12345678901234567890', '-F', 'd=-1.5e3', '-F', 't=true'],
    ...['-F', 'no=null', '-F', 'word=nullable', '-F', 'file=@text', '-F', 'lead=007'],
    ...['--variables', '{"s":"replaced","whole":{"a":[1]}}', '--operation', 'Two'],
  ];
  const body =
    `{"query":"q","variables":{"s":"1","whole":{"a":[1]},"e":"","n":12345678901234567890,` +
    `"d":-1500,"t":true,"no":null,"word":"nullable","file":"from\\na file","lead":"007"},` +
    `"operationName":"Two"}`;
  const { exitCode } = await against([post(body)], ['graphql', 'q', ...flags], { home });
  expect(exitCode).toBe(0);
});

test('prints data next to errors, and exits with 8 and every reason', async () => {
  const text = '{"data":{"a":1},"errors":[{"message":"first"},{"message":"second"}]}';
  const { stdout, stderr, exitCode } = await against(
    [post({ query }, { body: text })],
    ['graphql', query, '--json'],
  );
  expect([exitCode, stdout]).toEqual([8, `${text}\n`]);
  expect(JSON.parse(stderr)).toMatchObject({
    error: { code: 8, message: expect.stringContaining('first') as unknown, details: ['second'] },
  });
});

sampled.each([
  [{ status: 401, json: { errors: [{ message: 'Authentication required' }] } }, 6, 'rejected'],
  [{ status: 403, json: { message: 'Forbidden' } }, 6, 'scope graphql'],
  [{ status: 500, body: '<html>' }, 9, 'the request may have arrived'],
  [{ body: '<html>' }, 9, 'HTML, not JSON'],
  [{ json: {} }, 9, 'neither data nor errors'],
  [{ fault: 'reset' }, 9, 'the request may have arrived'],
] as const)('%j is code %i', async (answer, code, words) => {
  const { exitCode, stderr } = await against([post({ query }, answer)], ['graphql', query]);
  expect([exitCode, stderr]).toEqual([code, expect.stringContaining(words)]);
});

const paged =
  'query($endCursor: String) { a(after: $endCursor) { pageInfo { hasNextPage endCursor } } }';

const page = (endCursor: string | null, hasNextPage: boolean) =>
  JSON.stringify({ data: { a: { pageInfo: { hasNextPage, endCursor } } } });

test('--paginate prints one document per page and line', async () => {
  const exchanges = [
    post({ query: paged, variables: { first: 2 } }, { body: page('c1', true) }),
    post({ query: paged, variables: { first: 2, endCursor: 'c1' } }, { body: page('c2', true) }),
    post({ query: paged, variables: { first: 2, endCursor: 'c2' } }, { body: page(null, false) }),
  ];
  const { stdout } = await against(exchanges, ['graphql', paged, '--paginate', '-F', 'first=2']);
  expect(stdout).toBe(`${page('c1', true)}\n${page('c2', true)}\n${page(null, false)}\n`);
});

test('--paginate stops at a page with errors', async () => {
  const failed = '{"data":null,"errors":[{"message":"too complex"}]}';
  const exchanges = [
    post({ query: paged }, { body: page('c1', true) }),
    post({ query: paged, variables: { endCursor: 'c1' } }, { body: failed }),
  ];
  const { exitCode, stdout } = await against(exchanges, ['graphql', paged, '--paginate']);
  expect([exitCode, stdout]).toEqual([8, `${page('c1', true)}\n${failed}\n`]);
});

test('--jq applies to each page', async () => {
  const exchanges = [
    post({ query: paged }, { body: page('c1', true) }),
    post({ query: paged, variables: { endCursor: 'c1' } }, { body: page(null, false) }),
  ];
  const line = ['graphql', paged, '--paginate', '--jq', '.data.a.pageInfo.endCursor'];
  expect((await against(exchanges, line)).stdout).toBe('c1\nnull\n');
});

sampled.each([
  [['graphql', '{ a { pageInfo { hasNextPage endCursor } } }', '--paginate'], '$endCursor: String'],
  [
    ['graphql', 'query($endCursor: String) { a { pageInfo { endCursor } } }', '--paginate'],
    'hasNextPage',
  ],
  [['graphql'], 'requires QUERY'],
  [['graphql', ' \n'], 'empty'],
  [['graphql', 'q', '-f', 'x'], 'KEY=VALUE'],
  [['graphql', 'q', '--variables', '[1]'], 'JSON object'],
  [['graphql', 'q', '--fields', 'a'], 'does not support --fields'],
])('%j is code 2 and sends nothing', async (args, words) => {
  const { exitCode, stderr } = await against([], args, { stdin: query });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test('a missing file exits with 10', async () => {
  const { exitCode, stderr } = await against([], ['graphql', '@nothing.graphql']);
  expect([exitCode, stderr]).toEqual([
    10,
    expect.stringContaining('nothing.graphql: no such file'),
  ]);
});

test('--dry-run shows the request', async () => {
  const { stdout } = await against([], ['graphql', query, '--dry-run', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ method: 'POST', body: { query } });
});

test.skipIf(!hasTerminal)('a terminal shows only text', async () => {
  const { url } = await serve([
    post({ query }, { body: '{"data":{"x":"\u001b]0;owned\u0007\u009b2J"}}' }),
  ]);
  const { screen } = await cictlInTerminal(['graphql', query], {
    home: await useHome(),
    env: leadTo(url),
  });
  expect(screen).not.toMatch(/[\u001b\u009b\u0007]/);
});

const connection = (pageInfo: unknown) => ({ data: { a: { edges: [], pageInfo } } });

test.each<[string, unknown, string]>([
  [
    'a cursor that is null',
    connection({ hasNextPage: true, endCursor: null }),
    'endCursor is null',
  ],
  ['no cursor', connection({ hasNextPage: true }), 'endCursor is missing'],
  ['a cursor that is no text', connection({ hasNextPage: true, endCursor: 7 }), 'endCursor is a n'],
  ['no word on a next page', connection({ endCursor: 'c' }), 'hasNextPage is missing'],
  ['a text for hasNextPage', connection({ hasNextPage: 'true' }), 'hasNextPage is a string'],
  ['data that is null', { data: null }, 'data is null'],
  ['data that is a list', { data: [] }, 'data is an array'],
  ['pageInfo that is null', connection(null), 'pageInfo is null'],
  ['pageInfo that is a list', connection([]), 'pageInfo is an array'],
  ['a connection that is gone', { data: { a: null } }, 'pageInfo is missing'],
])('--paginate exits with 9 at a later page with %s', async (_, later, words) => {
  const first = connection({ hasNextPage: true, endCursor: 'c-1' });
  const exchanges = [first, later].map((json) => ({
    method: 'POST',
    path: '/v1',
    answer: { json },
  }));
  const { exitCode, stdout, stderr } = await against(exchanges, ['graphql', paged, '--paginate']);
  expect(exitCode).toBe(9);
  expect(stdout).toBe(`${JSON.stringify(first)}\n${JSON.stringify(later)}\n`);
  expect(stderr).toContain(words);
  expect(stderr).toContain('page 2');
});

test('--paginate of null data without errors exits with 9', async () => {
  const exchange = { method: 'POST', path: '/v1', answer: { json: { data: null } } };
  const { exitCode, stderr } = await against([exchange], ['graphql', paged, '--paginate']);
  expect(exitCode).toBe(9);
  expect(stderr).toContain('data is null');
});

test('--paginate exits with 0 if the paged object does not exist', async () => {
  const exchange = { method: 'POST', path: '/v1', answer: { json: { data: { a: null } } } };
  const { exitCode, stdout } = await against([exchange], ['graphql', paged, '--paginate']);
  expect([exitCode, stdout]).toEqual([0, '{"data":{"a":null}}\n']);
});

const nodes = (numbers: readonly number[], endCursor: string) => ({
  data: {
    a: {
      edges: numbers.map((number) => ({ cursor: `${endCursor}-${number}`, node: { number } })),
      pageInfo: { hasNextPage: true, endCursor },
    },
  },
});

sampled.each([
  ['without elements', []],
  ['with the same elements', [1, 2]],
])('--paginate ends with code 9 after a hundred pages %s', async (_, numbers) => {
  const exchanges = Array.from({ length: 101 }, (_, page) => ({
    method: 'POST',
    path: '/v1',
    answer: { json: nodes(numbers, `c-${page}`) },
  }));
  const { exitCode, stdout, stderr } = await against(exchanges, ['graphql', paged, '--paginate']);
  expect(exitCode).toBe(9);
  expect(stdout.split('\n')).toHaveLength(102);
  expect(stderr).toContain('100 consecutive pages had no new elements');
});

test.each<[string, object, number, string]>([
  ['a service that fails', { status: 502, json: { message: 'x' } }, 9, '(page 2): the service'],
  [
    'errors',
    { json: { data: null, errors: [{ message: 'limit' }] } },
    8,
    'rejected the query (page 2): limit',
  ],
])('--paginate names the later page with %s', async (_, answer, code, words) => {
  const first = { method: 'POST', path: '/v1', answer: { json: nodes([1], 'c') } };
  const line = ['graphql', paged, '--paginate'];
  const { exitCode, stderr } = await against([first, { ...first, answer }], line);
  expect([exitCode, stderr]).toEqual([code, expect.stringContaining(words)]);
});
