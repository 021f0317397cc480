import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, describe } from 'vitest';
import { serve, type CannedResponse, type Exchange } from '../../test/support/server.ts';
import { all, testClient } from '../../test/support/client.ts';
import { createNextPageFinder, firstOfPages, type Pages } from './pages.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { longTest } from '../../test/support/full.ts';

describe('pages', () => {
  const ids = (...numbers: number[]) => numbers.map((number) => ({ id: `b-${number}`, number }));
  const first = '/v2/builds?per_page=2';

  /** Lists the builds of a server; returns the error and everything before it. */
  async function walk(exchanges: (url: string) => Exchange[]) {
    const server = await serve(exchanges);
    const client = testClient(server.url, virtualClock());
    const numbers: unknown[] = [];
    let error: unknown;
    try {
      for await (const build of client.builds.list({}, { perPage: 2 })) numbers.push(build.number);
    } catch (caught) {
      error = caught;
    }
    await client.close();
    return { numbers, error };
  }

  const page = (path: string, elements: unknown, link?: string): Exchange => ({
    path,
    answer: { json: elements, ...(link === undefined ? {} : { headers: { link } }) },
  });

  test('follows rel="next" to the end, in any syntax', async () => {
    const { numbers, error } = await walk((url) => [
      page(first, ids(9, 8), `<${url}/p?2>; rel="next", <${url}/p?4>; rel="last"`),
      page('/p?2', ids(7, 6), `<${url}/p?1>; rel="prev", <${url}/p?a,b>; rel=next`),
      page('/p?a,b', ids(5, 4), '</p?4>; rel="last next"'),
      page('/p?4', ids(3), ''),
    ]);
    expect(error).toBeUndefined();
    expect(numbers).toEqual([9, 8, 7, 6, 5, 4, 3]);
  });

  test('needs no Link header', async () => {
    expect(await walk(() => [page(first, ids(2, 1))])).toEqual({
      numbers: [2, 1],
      error: undefined,
    });
  });

  test('a page can be empty', async () => {
    const { numbers } = await walk((url) => [
      page(first, ids(2, 1), `<${url}/p2>; rel="next"`),
      page('/p2', []),
    ]);
    expect(numbers).toEqual([2, 1]);
  });

  test('shows each build once although new ones shift the pages', async () => {
    const { numbers } = await walk((url) => [
      page(first, ids(9, 8), `<${url}/p2>; rel="next"`),
      page('/p2', ids(9, 8), `<${url}/p3>; rel="next"`),
      page('/p3', ids(8, 7)),
    ]);
    expect(numbers).toEqual([9, 8, 7]);
  });

  test('shows elements that only have a uuid once too', async () => {
    const { numbers } = await walk((url) => [
      page(
        first,
        [
          { uuid: 'a', number: 3 },
          { uuid: 'b', number: 2 },
        ],
        `<${url}/p2>; rel="next"`,
      ),
      page('/p2', [
        { uuid: 'b', number: 2 },
        { uuid: 'c', number: 1 },
      ]),
    ]);
    expect(numbers).toEqual([3, 2, 1]);
  });

  test('keeps elements without an id', async () => {
    const { numbers } = await walk((url) => [
      page(first, [{ number: 1 }, { number: 2, id: null }], `<${url}/p2>; rel="next"`),
      page('/p2', [{ number: 1 }]),
    ]);
    expect(numbers).toEqual([1, 2, 1]);
  });

  test.each<[string, (url: string) => string, string]>([
    ['itself', (url) => `<${url}${first}>; rel="next"`, 'pagination loop'],
    [
      'another host',
      () => '<http://127.0.0.2:9/v2/builds?page=2>; rel="next"',
      'the next-page URL points to http://127.0.0.2:9, but the token must not be sent there',
    ],
    [
      'another scheme',
      (url) => `<${url.replace('http:', 'https:')}/p2>; rel="next"`,
      'but the token must not be sent there',
    ],
    ['nowhere', () => '<http://[>; rel="next"', 'invalid next-page URL'],
  ])('a next page at %s ends the list with exit code 9', async (_, link, message) => {
    const { numbers, error } = await walk((url) => [page(first, ids(2, 1), link(url))]);
    expect(numbers).toEqual([2, 1]);
    expect(error).toMatchObject({ kind: 'invalid_response' });
    expect(String(error)).toContain(message);
  });

  test.each(['nonsense', '</p2>; rel="next', 'http://ci.test/p2; rel=next'])(
    'a malformed Link (%s) ends the list with exit code 9, after the elements so far',
    async (link) => {
      const { numbers, error } = await walk(() => [page(first, ids(2, 1), link)]);
      expect(numbers).toEqual([2, 1]);
      expect(error).toMatchObject({ kind: 'invalid_response' });
      expect(String(error)).toContain('malformed Link header');
    },
  );

  test.each<[string, CannedResponse, string]>([
    ['refused', { status: 422, json: { message: 'too deep' } }, 'too deep'],
    ['missing', { status: 404, json: { message: 'No such thing' } }, 'No such thing'],
    ['broken', { body: '[{' }, 'malformed JSON'],
    ['no list', { json: {} }, 'instead of an array'],
    ['failing', { status: 500 }, 'failed (500)'],
  ])('names a later page that is %s', async (_, response, words) => {
    const { numbers, error } = await walk((url) => [
      page(first, ids(4, 3), `<${url}/p2>; rel="next"`),
      page('/p2', ids(2, 1), `<${url}/p3>; rel="next"`),
      { path: '/p3', answer: response },
    ]);
    expect(numbers).toEqual([4, 3, 2, 1]);
    expect(String(error)).toContain('cannot list builds (page 3): ');
    expect(String(error)).toContain(words);
  });

  test('names a page by the number in its URL', async () => {
    const { error } = await walk((url) => [
      page(first, ids(4, 3), `<${url}/p?page=7>; rel="next"`),
      { path: '/p?page=7', answer: { status: 500 } },
    ]);
    expect(String(error)).toContain('cannot list builds (page 7): ');
  });

  test.each(['?page=x', '?page=1234567890', '?page=', '?page=7x'])(
    'names a page with an unusable number (%s) by its position',
    async (query) => {
      const { error } = await walk((url) => [
        page(first, ids(4, 3), `<${url}/p${query}>; rel="next"`),
        { path: `/p${query}`, answer: { status: 500 } },
      ]);
      expect(String(error)).toContain('cannot list builds (page 2): ');
    },
  );

  test('names a later page without a next one too', async () => {
    const { error } = await walk((url) => [
      page(first, ids(4, 3), `<${url}/p2>; rel="next"`),
      page('/p2', ids(2, 1), '<http://[>; rel="next"'),
    ]);
    expect(String(error)).toContain('cannot list builds (page 2): invalid next-page URL');
  });

  test.each<[string, (url: string) => string]>([
    ['a fragment', (url) => `${url}${first}#more`],
    ['a user', (url) => `${url.replace('//', '//someone@')}${first}`],
    ['a password', (url) => `${url.replace('//', '//:secret@')}${first}`],
  ])('%s makes no different page of the same URL', async (_, target) => {
    const { numbers, error } = await walk((url) => [
      page(first, ids(2, 1), `<${target(url)}>; rel="next"`),
    ]);
    expect(numbers).toEqual([2, 1]);
    expect(String(error)).toContain('pagination loop');
  });

  test('each page says whether the service names another one', async () => {
    const server = await serve((url) => [
      page(first, ids(4, 3), `<${url}/p2>; rel="next"`),
      page('/p2', ids(2), ''),
      page(first, ids(4, 3), '<http://[>; rel="next"'),
    ]);
    const client = testClient(server.url, virtualClock());
    const list = client.builds.list({}, { perPage: 2 });
    expect(await all(list.pages())).toEqual([
      { items: ids(4, 3), hasNext: true },
      { items: ids(2), hasNext: false },
    ]);
    const seen: unknown[] = [];
    const walking = (async () => {
      for await (const one of list.pages()) seen.push(one);
    })();
    await expect(walking).rejects.toThrow('invalid next-page URL');
    expect(seen).toEqual([{ items: ids(4, 3), hasNext: true }]);
    await client.close();
  });

  test.each(['', 5, {}])('shows all elements with an invalid id (%j)', async (id) => {
    const { numbers } = await walk((url) => [
      page(first, [{ id, number: 2 }], `<${url}/p2>; rel="next"`),
      page('/p2', [{ id, number: 1 }]),
    ]);
    expect(numbers).toEqual([2, 1]);
  });

  /** Serves endless pages, each with a link to another URL. */
  async function endless(elements: (page: number) => unknown): Promise<string> {
    const server = createServer((request, response) => {
      const number = Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 1);
      response.setHeader('link', `</v2/builds?page=${number + 1}>; rel="next"`);
      response.end(JSON.stringify(elements(number)));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test.each<[string, (page: number) => unknown, number]>([
    ['the same elements', () => ids(2, 1), 2],
    ['nothing', () => [], 0],
    ['elements that came once', (page) => ids(page % 7), 7],
  ])('treats a hundred pages in a row with %s as a loop', async (_, elements, count) => {
    const client = testClient(await endless(elements), virtualClock());
    const seen: unknown[] = [];
    const walking = (async () => {
      for await (const build of client.builds.list({})) seen.push(build.number);
    })();
    await expect(walking).rejects.toMatchObject({
      kind: 'invalid_response',
      message: expect.stringContaining('pagination loop') as string,
    });
    expect(seen).toHaveLength(count);
    await client.close();
  });

  test('paging of api detects a loop too', async () => {
    const client = testClient(await endless((page) => (page % 3) + 1), virtualClock());
    let count = 0;
    const walking = (async () => {
      for await (const { body } of client.rawPages({ method: 'GET', path: 'builds' })) {
        await all(body);
        count++;
      }
    })();
    await expect(walking).rejects.toThrow('pagination loop');
    expect(count).toBe(103);
    await client.close();
  });

  test('allows 99 pages without anything new', async () => {
    const client = testClient(
      await endless((page) => (page % 100 === 0 ? ids(page) : [])),
      virtualClock(),
    );
    const numbers: unknown[] = [];
    for await (const build of client.builds.list({})) if (numbers.push(build.number) === 3) break;
    expect(numbers).toEqual([100, 200, 300]);
    await client.close();
  });

  longTest('a list has at most 100,000 pages', () => {
    const walk = createNextPageFinder({ method: 'GET', action: 'list builds' });
    const response = (number: number) => ({
      ...{ status: 200, url: new URL(`http://ci.test/?page=${number}`) },
      headers: { link: `<?page=${number + 1}>; rel=next` },
      body: (async function* () {})(),
    });
    for (let number = 1; number < 100_000; number++) walk(response(number), true);
    expect(() => walk(response(100_000), true)).toThrow('pagination loop');
  });

  test('detects a cycle of several pages', async () => {
    const { numbers, error } = await walk((url) => [
      page(first, ids(4, 3), `<${url}/p2>; rel="next"`),
      page('/p2', ids(2, 1), `<${url}${first}>; rel="next"`),
    ]);
    expect(numbers).toEqual([4, 3, 2, 1]);
    expect(error).toMatchObject({ kind: 'invalid_response' });
  });

  test('requests no page that is not needed', async () => {
    const server = await serve((url) => [page(first, ids(2, 1), `<${url}/p2>; rel="next"`)]);
    const client = testClient(server.url, virtualClock());
    for await (const build of client.builds.list({}, { perPage: 2 })) {
      if (build.number === 1) break;
    }
    await client.close();
    await server.finish();
  });

  test('lists 1,000 builds without gaps or duplicates while others are created', async () => {
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
});

describe('first of pages', () => {
  /** The first elements of a list, how many pages were read, and whether there are more. */
  async function first(pages: readonly number[][], limit: number) {
    const seen = { read: 0, more: 0 };
    async function* walk() {
      for (const items of pages) {
        seen.read += 1;
        yield await Promise.resolve({ items, hasNext: seen.read < pages.length });
      }
    }
    const list: Pages<number> = {
      pages: walk,
      async *[Symbol.asyncIterator]() {
        for await (const { items } of walk()) yield* items;
      },
    };
    const pauses: number[][] = [];
    const items: number[] = [];
    const beforeOthers = () => {
      pauses.push([...items]);
      return Promise.resolve();
    };
    const more = () => (seen.more += 1);
    for await (const item of firstOfPages(list, limit, { more, beforeOthers })) items.push(item);
    return { result: { items, ...seen }, pauses };
  }

  test.each([
    ['of a list that has fewer, all', [[1, 2], [3]], 4, { items: [1, 2, 3], read: 2, more: 0 }],
    ['of a list that has as many, all', [[1, 2], [3]], 3, { items: [1, 2, 3], read: 2, more: 0 }],
    [
      'up to the middle of a page',
      [[1, 2], [3, 4], [5]],
      3,
      { items: [1, 2, 3], read: 2, more: 1 },
    ],
    ['up to the end of a page', [[1, 2], [3]], 2, { items: [1, 2], read: 1, more: 1 }],
    ['up to the middle of the last page', [[1, 2]], 1, { items: [1], read: 1, more: 1 }],
    ['past an empty page', [[1], [], [2]], 2, { items: [1, 2], read: 3, more: 0 }],
    ['of nothing', [[]], 3, { items: [], read: 1, more: 0 }],
  ])('%s', async (_, pages, limit, expected) => {
    expect((await first(pages, limit)).result).toEqual(expected);
  });

  test.each([
    ['its last element, once', [[1, 2, 3], [4, 5], [6]], 6, [[1, 2]]],
    ['nothing where one page is all', [[1, 2, 3]], 9, []],
    ['nothing where one page is enough', [[1, 2, 3], [4]], 3, []],
  ])('a reader can stop before %s', async (_, pages, limit, pauses) => {
    expect((await first(pages, limit)).pauses).toEqual(pauses);
  });
});
