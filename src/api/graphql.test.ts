import { expect, test } from 'vitest';
import { serve, type CannedResponse, type Exchange } from '../../test/support/server.ts';
import { all, testClient } from '../../test/support/client.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { CictlError } from '../errors.ts';
import { type GraphqlRequest, graphqlPages } from './graphql.ts';

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

test('returns data and errors together', async () => {
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
      message:
        'cannot run the GraphQL query: the service rejected the token: Authentication required.',
    },
  ],
  [
    '403',
    { status: 403, json: { message: 'Forbidden' } },
    {
      kind: 'auth',
      message: 'cannot run the GraphQL query: Forbidden (requires the scope graphql)',
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

test('pages by cursor with the other variables unchanged', async () => {
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

test('stops at a cycle of pages', async () => {
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
])('rejects paging %s', async (query) => {
  const server = await serve([]);
  const client = testClient(server.url, virtualClock());
  expect(() => client.graphql.pages({ query })).toThrow('--paginate requires the variable');
  await client.close();
});

const query =
  'query($endCursor: String) { builds(after: $endCursor) { pageInfo { hasNextPage endCursor } } }';
const next = (cursor: unknown, more: object = {}) => ({
  builds: { ...more, pageInfo: { hasNextPage: true, endCursor: cursor } },
});
const last = { builds: { pageInfo: { hasNextPage: false, endCursor: null } } };

/** Reads these pages; returns the requests, the results and the final error. */
async function walk(pages: (page: number) => unknown, request: GraphqlRequest = { query }) {
  const asked: [GraphqlRequest, number][] = [];
  const seen: unknown[] = [];
  const run = (sent: GraphqlRequest, page: number) => {
    asked.push([sent, page]);
    return Promise.resolve({ data: pages(page), errors: [], text: '' });
  };
  let error: unknown;
  try {
    for await (const { data } of graphqlPages(run, request)) seen.push(data);
  } catch (caught) {
    error = caught;
  }
  return { asked, seen, error };
}

const inTurn =
  (...pages: unknown[]) =>
  (page: number) =>
    pages[page - 1];

test('requests each page with the previous cursor, and names it by number', async () => {
  const { asked, error } = await walk(inTurn(next('a'), next('b'), last));
  expect(error).toBeUndefined();
  expect(asked).toEqual([
    [{ query }, 1],
    [{ query, variables: { endCursor: 'a' } }, 2],
    [{ query, variables: { endCursor: 'b' } }, 3],
  ]);
});

test('starts at a cursor given by the user', async () => {
  const request = { query, variables: { org: 'acme', endCursor: 'x' }, operationName: 'q' };
  const { asked } = await walk(inTurn(next('a'), last), request);
  expect(asked).toEqual([
    [request, 1],
    [{ ...request, variables: { org: 'acme', endCursor: 'a' } }, 2],
  ]);
});

test.each<[string, unknown]>([
  ['no pageInfo at all', { viewer: { name: 'Ada' } }],
  ['no next page', last],
  ['nothing but null in it', { viewer: null }],
])('a first page with %s is the only one', async (_, data) => {
  expect(await walk(inTurn(data))).toMatchObject({ seen: [data], error: undefined });
});

test.each<[string, unknown, string]>([
  ['without pageInfo', { viewer: {} }, 'pageInfo is missing'],
  ['without data', null, 'data is null instead of an object'],
  ['with a list as data', [], 'data is an array instead of an object'],
  ['whose pageInfo is null', { pageInfo: null }, 'pageInfo is null instead of an object'],
  ['whose pageInfo is a text', { pageInfo: 'a' }, 'pageInfo is a string instead of an object'],
  [
    'that does not say whether there are more',
    { pageInfo: { endCursor: 'b' } },
    'hasNextPage is missing instead of a boolean',
  ],
  [
    'that says it in a number',
    { pageInfo: { hasNextPage: 1, endCursor: 'b' } },
    'hasNextPage is a number instead of a boolean',
  ],
  [
    'without a cursor',
    { pageInfo: { hasNextPage: true } },
    'endCursor is missing instead of a string',
  ],
  ['with the cursor of the first', next('a'), 'pagination loop'],
])('a second page %s ends the walk', async (_, data, reason) => {
  const { seen, error } = await walk(inTurn(next('a'), data));
  expect(seen).toEqual([next('a'), data]);
  expect(error).toBeInstanceOf(CictlError);
  expect(error).toMatchObject({
    kind: 'invalid_response',
    message: `cannot read the page after page 2: ${reason}`,
  });
});

test('uses the outermost pageInfo, inside lists too', async () => {
  const inner = { pageInfo: { hasNextPage: true, endCursor: 'inner' } };
  const outer = { pageInfo: { hasNextPage: true, endCursor: 'outer' } };
  const data = { a: { b: { c: inner } }, d: [null, 5, { e: 'text' }, outer] };
  const { asked } = await walk(inTurn(data, last));
  expect(asked[1]).toEqual([{ query, variables: { endCursor: 'outer' } }, 2]);
});

test('treats a hundred pages that differ only in cursors as a loop', async () => {
  const data = (page: number) => {
    const edges = [{ cursor: `c"\\${page}`, node: { number: 1 } }];
    const info = { hasNextPage: true, endCursor: `e${page}`, startCursor: `s${page}` };
    return { builds: { edges, pageInfo: info } };
  };
  const { seen, error } = await walk(data);
  expect(seen).toHaveLength(101);
  expect(error).toMatchObject({
    kind: 'invalid_response',
    message:
      'cannot read the page after page 101: 100 consecutive pages had no new elements (pagination loop)',
  });
});

test('allows 99 pages without anything new, counted afresh after something new', async () => {
  const { seen, error } = await walk((page) =>
    page < 250 ? next(`c${page}`, { number: Math.floor(page / 100) }) : last,
  );
  expect(error).toBeUndefined();
  expect(seen).toHaveLength(250);
});

test.each([
  'query($endCursor : String) { a { pageInfo{hasNextPage endCursor} } }',
  'query($endCursor:String!) { a { pageInfo { endCursor, hasNextPage } } }',
])('pages %s', async (spaced) => {
  const walked = await walk(inTurn(last), { query: spaced });
  expect(walked.seen).toHaveLength(1);
});

test.each([
  'query($endCursor: Strings) { a { pageInfo { hasNextPage endCursor } } }',
  'query($endCursor: String) { a { pageInfo { hasNextPage } endCursor } }',
  'query($endCursor: String) { a { pageInfo { endCursor } hasNextPage } }',
  'query($endCursor: String) { a { pageInfo { hasNextPages endCursor } } }',
  'query($endCursor: String) { a { pageInfo { hasNextPage endCursors } } }',
  'query($endCursor: String) { a { myPageInfo { hasNextPage endCursor } } }',
])('rejects paging %s before sending anything', async (other) => {
  const run = () => Promise.reject(new Error('sent'));
  expect(() => graphqlPages(run, { query: other })).toThrow(
    expect.objectContaining({ kind: 'usage', hint: 'cictl help graphql' }),
  );
  await expect(all(graphqlPages(run, { query }))).rejects.toThrow('sent');
});
