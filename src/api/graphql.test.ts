import { expect, test } from 'vitest';
import { serve, type CannedResponse, type Exchange } from '../../test/support/server.ts';
import { all, testClient } from '../../test/support/client.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';

const paged =
  'query($endCursor: String) { viewer { builds(first: 2, after: $endCursor) { edges { node { number } } pageInfo { hasNextPage endCursor } } } }';
const post = (body: unknown, response: CannedResponse): Exchange => ({
  ...{ method: 'POST', path: '/v1', body, answer: response },
});
const page = (numbers: number[], hasNextPage: boolean, endCursor: string | null) => ({
  data: {
    viewer: {
      builds: {
        edges: numbers.map((number) => ({ node: { number } })),
        pageInfo: { hasNextPage, endCursor },
      },
    },
  },
});

test('gives data and errors side by side', async () => {
  const errors = [{ message: 'no such field', path: ['a'] }, { message: 'and more' }];
  const server = await serve([post({ query: '{a}' }, { json: { data: { a: null }, errors } })]);
  const client = testClient(server.url, virtualClock());
  expect(await client.graphql.query({ query: '{a}' })).toMatchObject({
    data: { a: null },
    errors: ['no such field', 'and more'],
  });
  await client.close();
});

test.each<[string, CannedResponse, object]>([
  [
    '401',
    { status: 401, json: { errors: [{ message: 'Authentication required.' }] } },
    {
      kind: 'auth',
      message: 'cannot run the GraphQL query: the token was refused: Authentication required.',
    },
  ],
  [
    '403',
    { status: 403, json: { message: 'Forbidden' } },
    {
      kind: 'auth',
      message: 'cannot run the GraphQL query: Forbidden (it needs the scope graphql)',
    },
  ],
  [
    '400',
    { status: 400, json: { errors: [{ message: 'Syntax' }] } },
    { kind: 'refused', message: 'cannot run the GraphQL query: Syntax' },
  ],
  ['neither data nor errors', { json: {} }, { kind: 'invalid_response' }],
])('%s', async (_, response, expected) => {
  const server = await serve([post({ query: '{a}' }, response)]);
  const client = testClient(server.url, virtualClock());
  const error: unknown = await client.graphql.query({ query: '{a}' }).catch((e: unknown) => e);
  expect(error).toMatchObject(expected);
  await client.close();
});

test('pages from cursor to cursor with the other variables unchanged', async () => {
  const server = await serve([
    post({ query: paged, variables: { org: 'acme' } }, { json: page([4, 3], true, 'c-1') }),
    post(
      { query: paged, variables: { org: 'acme', endCursor: 'c-1' } },
      { json: page([2], true, 'c-2') },
    ),
    post(
      { query: paged, variables: { org: 'acme', endCursor: 'c-2' } },
      { json: page([], false, null) },
    ),
  ]);
  const client = testClient(server.url, virtualClock());
  const pages = client.graphql.pages({ query: paged, variables: { org: 'acme' } });
  expect((await all(pages)).map(({ data }) => ({ data }))).toEqual([
    page([4, 3], true, 'c-1'),
    page([2], true, 'c-2'),
    page([], false, null),
  ]);
  await client.close();
});

test('follows the outermost connection', async () => {
  const inner = { jobs: { pageInfo: { hasNextPage: true, endCursor: 'inner' } } };
  const builds = { edges: [{ node: inner }], pageInfo: { hasNextPage: false, endCursor: 'outer' } };
  const server = await serve([post(undefined, { json: { data: { pipeline: { builds } } } })]);
  const client = testClient(server.url, virtualClock());
  expect(await all(client.graphql.pages({ query: paged }))).toHaveLength(1);
  await client.close();
});

test('does not run round in pages', async () => {
  const server = await serve([
    post(undefined, { json: page([1], true, 'c') }),
    post(undefined, { json: page([1], true, 'c') }),
  ]);
  const client = testClient(server.url, virtualClock());
  const walk = all(client.graphql.pages({ query: paged }));
  await expect(walk).rejects.toMatchObject({ kind: 'invalid_response' });
  await client.close();
});

test.each([
  '{ viewer { builds { pageInfo { hasNextPage endCursor } } } }',
  'query($endCursor: String) { viewer { builds(after: $endCursor) { count } } }',
  'query($endCursor: String) { viewer { builds(after: $endCursor) { pageInfo { endCursor } } } }',
  'query($endCursor: Int) { viewer { builds { pageInfo { hasNextPage endCursor } } } }',
])('refuses to page %s', async (query) => {
  const server = await serve([]);
  const client = testClient(server.url, virtualClock());
  expect(() => client.graphql.pages({ query })).toThrow('the query cannot be paged');
  await client.close();
});
