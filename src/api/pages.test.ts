import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { serve, type Exchange } from '../../test/support/server.ts';
import { all, testClient } from '../../test/support/client.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';

const ids = (...numbers: number[]) => numbers.map((number) => ({ id: `b-${number}`, number }));
const first = '/v2/builds?per_page=2';

/** Walks the builds of a server; what came before a failure comes with it. */
async function walk(exchanges: (url: string) => Exchange[]) {
  const server = await serve(exchanges);
  const client = testClient(server.url, virtualClock());
  const numbers: unknown[] = [];
  let error: unknown;
  try {
    for await (const build of client.builds.list({}, { perPage: 2 })) numbers.push(build.number);
  } catch (fault) {
    error = fault;
  }
  await client.close();
  return { numbers, error };
}

const page = (path: string, elements: unknown, link?: string): Exchange => ({
  path,
  answer: { json: elements, ...(link === undefined ? {} : { headers: { link } }) },
});

test('follows rel="next" to the end, whatever its form', async () => {
  const { numbers, error } = await walk((url) => [
    page(first, ids(9, 8), `<${url}/p?2>; rel="next", <${url}/p?4>; rel="last"`),
    page('/p?2', ids(7, 6), `<${url}/p?1>; rel="prev", <${url}/p?a,b>; rel=next`),
    page('/p?a,b', ids(5, 4), '</p?4>; rel="last next"'),
    page('/p?4', ids(3), ''),
  ]);
  expect(error).toBeUndefined();
  expect(numbers).toEqual([9, 8, 7, 6, 5, 4, 3]);
});

test('needs no Link', async () => {
  expect(await walk(() => [page(first, ids(2, 1))])).toEqual({ numbers: [2, 1], error: undefined });
});

test('a page may be empty', async () => {
  const { numbers } = await walk((url) => [
    page(first, ids(2, 1), `<${url}/p2>; rel="next"`),
    page('/p2', []),
  ]);
  expect(numbers).toEqual([2, 1]);
});

test('shows no build twice that new ones have pushed to the next page', async () => {
  const { numbers } = await walk((url) => [
    page(first, ids(9, 8), `<${url}/p2>; rel="next"`),
    page('/p2', ids(9, 8), `<${url}/p3>; rel="next"`),
    page('/p3', ids(8, 7)),
  ]);
  expect(numbers).toEqual([9, 8, 7]);
});

test('keeps elements without an id', async () => {
  const { numbers } = await walk((url) => [
    page(first, [{ number: 1 }, { number: 2, id: null }], `<${url}/p2>; rel="next"`),
    page('/p2', [{ number: 1 }]),
  ]);
  expect(numbers).toEqual([1, 2, 1]);
});

test.each<[string, (url: string) => string, string]>([
  ['itself', (url) => `<${url}${first}>; rel="next"`, 'its pages go round in a circle'],
  [
    'another host',
    () => '<http://127.0.0.2:9/v2/builds?page=2>; rel="next"',
    'the next page is at http://127.0.0.2:9, where the token does not belong',
  ],
  [
    'another scheme',
    (url) => `<${url.replace('http:', 'https:')}/p2>; rel="next"`,
    'where the token does not belong',
  ],
  ['nowhere', () => '<http://[>; rel="next"', 'the next page has no valid address'],
])('a next page at %s ends the list with code 9', async (_, link, message) => {
  const { numbers, error } = await walk((url) => [page(first, ids(2, 1), link(url))]);
  expect(numbers).toEqual([2, 1]);
  expect(error).toMatchObject({ kind: 'unreachable' });
  expect(String(error)).toContain(message);
});

test('notices a circle of several pages', async () => {
  const { numbers, error } = await walk((url) => [
    page(first, ids(4, 3), `<${url}/p2>; rel="next"`),
    page('/p2', ids(2, 1), `<${url}${first}>; rel="next"`),
  ]);
  expect(numbers).toEqual([4, 3, 2, 1]);
  expect(error).toMatchObject({ kind: 'unreachable' });
});

test('asks for no page that nobody wants', async () => {
  const server = await serve((url) => [page(first, ids(2, 1), `<${url}/p2>; rel="next"`)]);
  const client = testClient(server.url, virtualClock());
  for await (const build of client.builds.list({}, { perPage: 2 })) {
    if (build.number === 1) break;
  }
  await client.close();
  await server.finish();
});

test('walks 1,000 builds with none missing and none twice while others are created', async () => {
  const builds = ids(...Array.from({ length: 1000 }, (_, index) => 1000 - index));
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://ci.test');
    const page = Number(searchParams.get('page') ?? 1);
    const next = `<http://${request.headers.host ?? ''}/v2/builds?page=${page + 1}>; rel="next"`;
    response.setHeader('link', page * 100 < builds.length ? next : '');
    response.end(JSON.stringify(builds.slice((page - 1) * 100, page * 100)));
    const newest = builds.length;
    builds.unshift(...ids(newest + 3, newest + 2, newest + 1));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = testClient(`http://127.0.0.1:${port}`, virtualClock());
  const numbers = (await all(client.builds.list({}))).map((build) => build.number);
  await client.close();
  expect(numbers).toEqual(Array.from({ length: 1000 }, (_, index) => 1000 - index));
});
