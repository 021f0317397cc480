/** Reading complete lists from a paginated service. */
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { testClient } from '../../test/support/client.ts';
import {
  longList,
  meeting,
  nextAndLast,
  type LongList,
  type LongListOptions,
  type PageRequest,
} from '../../test/support/long-list.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import type { BuildFilters } from './builds.ts';
import type { ClientOptions } from './send-request.ts';

/** The numbers of all builds, the error that ended the list, and what the service saw. */
async function whole(
  options: LongListOptions & { readonly started?: (list: LongList) => void } = {},
  filters: BuildFilters = {},
  settings: Partial<ClientOptions> = {},
) {
  const list = await longList(options);
  options.started?.(list);
  const client = testClient(list.url, virtualClock(), settings);
  const numbers: number[] = [];
  let error: unknown;
  try {
    const pages = client.builds.list({}, { ...filters, perPage: 2, whole: true });
    for await (const build of pages) numbers.push(build.number ?? 0);
  } catch (caught) {
    error = caught;
  }
  await client.close();
  return { numbers, error, list, notices: client.notices };
}

const down = (from: number, to = 1): number[] =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index);

const pageNumbers = ({ requests }: LongList): string[] =>
  requests.map((path) => /\bpage=(\d+)/.exec(path.replace('per_page', ''))?.[1] ?? '1');

const json = (response: ServerResponse, status: number, headers = {}): void => {
  response.writeHead(status, headers).end(JSON.stringify({ message: 'no' }));
};

test('requests pages in parallel and returns them in order', async () => {
  const eight = meeting(8);
  const { numbers, error, list } = await whole({
    count: 18,
    // Page 2 is served last.
    before: ({ number }) => (number > 1 ? eight() : undefined),
  });
  expect(error).toBeUndefined();
  expect(numbers).toEqual(down(18));
  expect(pageNumbers(list).sort()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
});

test('at most eight pages wait to be read', async () => {
  const { list, numbers } = await whole({ count: 60 });
  expect(numbers).toEqual(down(60));
  expect(list.most()).toBeLessThanOrEqual(8);
  expect(list.requests).toHaveLength(30);
});

test.each([1000, 1, 0])(
  'loses and duplicates nothing while builds are created, each %i ms after the latest',
  async (ms) => {
    let service: LongList | undefined;
    const { numbers } = await whole({
      count: 60,
      started: (list) => (service = list),
      before: async ({ number }) => {
        // Builds of the same millisecond are created right after the first page, before it is
        // complete.
        if (number === 1) setImmediate(() => service?.create(ms));
        else if (ms > 0) service?.create(ms);
        // Later pages are often served before earlier ones.
        if (number % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
      },
    });
    expect(numbers).toEqual(down(60));
  },
);

test('loses nothing without a bound, while builds are created and pages overlap', async () => {
  let service: LongList | undefined;
  const { numbers, error } = await whole({
    count: 300,
    perPage: 20,
    ignoresBound: true,
    started: (list) => (service = list),
    before: async ({ number }) => {
      // The service reads page 4 after pages 5 to 9, each time after another new build.
      for (let turn = 0; number === 4 && turn < 1000; turn++)
        await new Promise((resolve) => setImmediate(resolve));
      if (number > 3 && number < 15) service?.create();
    },
  });
  expect([numbers, error]).toEqual([down(300), undefined]);
});

test('all pages after the first share one bound, just after the latest build', async () => {
  const { list } = await whole({ count: 10 });
  const [first, ...others] = list.requests;
  expect(first).not.toContain('created_to');
  const bounds = others.map((path) => new URL(path, list.url).searchParams.get('created_to'));
  expect(new Set(bounds)).toEqual(new Set(['2026-01-01T00:00:09.001Z']));
});

test.each([
  ['one just behind the newest build stays', '2026-01-01T01:00:09.001+01:00', undefined],
  ['one to come gives way', '2030-01-01T00:00:00.000Z', '2026-01-01T00:00:09.001Z'],
])('with a bound set by the user, %s', async (_, createdTo, sent = createdTo) => {
  const { list, numbers } = await whole({ count: 10 }, { createdTo });
  expect(numbers).toEqual(down(10));
  for (const path of list.requests.slice(1))
    expect(new URL(path, list.url).searchParams.getAll('created_to')).toEqual([sent]);
});

test("keeps the next page's URL except for its number", async () => {
  const { list } = await whole({
    count: 10,
    link: ({ number, last, address }) => {
      const at = (page: number): string =>
        `${address.pathname}?a=1%202&page=${page}&b[]=x,y&per_page=2`;
      return number < last ? `<${at(number + 1)}>; rel=next, <${at(last)}>; rel=last` : undefined;
    },
  });
  expect(list.requests.slice(1).sort()).toEqual(
    [2, 3, 4, 5].map(
      (page) =>
        `/v2/builds?a=1%202&page=${page}&b[]=x,y&per_page=2&created_to=2026-01-01T00%3A00%3A09.001Z`,
    ),
  );
});

const withLast =
  (last: (page: PageRequest) => string) =>
  (page: PageRequest): string | undefined =>
    nextAndLast(page)?.replace(/<[^>]*>; rel="last"/, `<${last(page)}>; rel="last"`);

test.each<[string, LongListOptions['link']]>([
  ['none', (page) => nextAndLast(page)?.replace(/,.*$/, '')],
  ['one elsewhere', withLast(() => 'http://127.0.0.2:9/v2/builds?page=5&per_page=2')],
  ['one of another list', withLast(({ at }) => at(5).replace('builds', 'jobs'))],
  ['one with another filter', withLast(({ at }) => `${at(5)}&state=failed`)],
  ['one without a number', withLast(({ at }) => at(5).replace(/&page=\d+/, ''))],
  ['one with two numbers', withLast(({ at }) => `${at(5)}&page=7`)],
  ['one that is no number', withLast(({ at }) => at(5).replace('&page=5', '&page=five'))],
  ['one beyond all bounds', withLast(({ at }) => at(100_001))],
  ['no address', withLast(() => 'http://[')],
  ['two', (page) => `${nextAndLast(page) ?? ''}, <${page.at(4)}>; rel="last"`.replace(/^, .*/, '')],
])('with %s as last page, requests pages one at a time', async (_, link) => {
  const { numbers, error, list } = await whole({ count: 10, ...(link && { link }) });
  expect([numbers, error]).toEqual([down(10), undefined]);
  expect(list.most()).toBe(1);
  expect(list.requests.join()).not.toContain('created_to');
});

test.each<[string, BuildFilters]>([
  ['state', { state: ['running'] }],
  ['commit', { commit: ['a'.repeat(40)] }],
  ['meta-data', { metaData: { a: 'b' } }],
  ['the time of its end', { finishedFrom: '2020-01-01T00:00:00Z' }],
])('if builds can appear or disappear by %s, requests pages one at a time', async (_, filters) => {
  const { numbers, list } = await whole({ count: 10 }, filters);
  expect(numbers).toEqual(down(10));
  expect(list.most()).toBe(1);
});

test('a last page that is too low loses nothing', async () => {
  const { numbers } = await whole({ count: 20, link: withLast(({ at }) => at(4)) });
  expect(numbers).toEqual(down(20));
});

test.each([200, 404, 500])(
  'a last page that is too high and returns %i changes nothing',
  async (status) => {
    const { numbers, error } = await whole({
      count: 10,
      link: withLast(({ at }) => at(400)),
      before: ({ number, last }, response) => {
        if (number > last && status !== 200) json(response, status);
      },
    });
    expect([numbers, error]).toEqual([down(10), undefined]);
  },
);

test('follows a next page other than expected', async () => {
  const { numbers } = await whole({
    count: 20,
    link: (page) => (page.number === 4 ? `<${page.at(7)}>; rel="next"` : nextAndLast(page)),
  });
  expect(numbers).toEqual([...down(20, 13), ...down(8)]);
});

test('returns the pages before a failed one, and names it', async () => {
  const { numbers, error } = await whole({
    before: ({ number }, response) => {
      if (number === 4) json(response, 422);
    },
  });
  expect(numbers).toEqual(down(20, 15));
  expect(String(error)).toContain('cannot list builds (page 4): no');
});

test('names a malformed page too', async () => {
  const { numbers, error } = await whole({
    before: ({ number }, response) => {
      if (number === 3) response.end('[{');
    },
  });
  expect(numbers).toEqual(down(20, 17));
  expect(String(error)).toContain('cannot list builds (page 3): the response is malformed JSON');
});

test.each([0, 1, 3])(
  'keeps as many requests in flight as RateLimit-Remaining (%i) allows',
  async (left) => {
    const most = Math.max(1, left);
    let [came, together] = [0, meeting(most)];
    const { numbers, list } = await whole({
      headers: () => ({ 'ratelimit-remaining': '90', 'ratelimit-user-remaining': String(left) }),
      // Nine pages after the first: each waits until the maximum number of requests is open.
      before: ({ number }) => {
        if (number === 1) return undefined;
        if (came++ % most === 0) together = meeting(most);
        return together();
      },
    });
    expect(numbers).toEqual(down(20));
    expect(list.most()).toBe(most);
  },
);

test('an exhausted limit pauses requests until it resets', async () => {
  const limit = { left: 5, refused: 0 };
  const clock = virtualClock();
  const list = await longList({
    count: 40,
    before: (_, response) => {
      limit.left -= 1;
      if (limit.left >= 0) return;
      limit.refused += 1;
      json(response, 429, { 'ratelimit-remaining': '0', 'ratelimit-reset': '30' });
    },
  });
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    await clock.sleep(ms, signal);
    if (ms >= 29_000) limit.left = 100;
  };
  const client = testClient(list.url, { ...clock, sleep });
  const numbers: number[] = [];
  for await (const { number } of client.builds.list({}, { perPage: 2, whole: true }))
    numbers.push(number ?? 0);
  await client.close();
  expect(numbers).toEqual(down(40));
  // Only the requests that were already in progress.
  expect(limit.refused).toBeGreaterThan(0);
  expect(limit.refused).toBeLessThanOrEqual(8);
  expect(list.requests).toHaveLength(20 + limit.refused);
});

test('a wait longer than allowed ends the list there', async () => {
  const { numbers, error } = await whole(
    {
      before: ({ number }, response) => {
        if (number >= 4) json(response, 429, { 'retry-after': '600' });
      },
    },
    {},
    { maxWait: 60_000 },
  );
  expect(numbers).toEqual(down(20, 15));
  expect(error).toMatchObject({ kind: 'rate_limited' });
  expect(String(error)).toContain('600 s');
});

test('requests no second page if the first is enough', async () => {
  const list = await longList();
  const client = testClient(list.url, virtualClock());
  for await (const { number } of client.builds.list({}, { perPage: 2, whole: true }))
    if (number === 19) break;
  await client.close();
  expect(list.requests).toHaveLength(1);
});

test('an abort ends everything with its reason', async () => {
  const end = new AbortController();
  const { numbers, error } = await whole(
    {
      before: ({ number }) => {
        if (number < 5) return undefined;
        end.abort(new Error('interrupted'));
        return new Promise(() => undefined);
      },
    },
    {},
    { signal: end.signal },
  );
  expect(numbers.length).toBeGreaterThanOrEqual(2);
  expect(String(error)).toContain('interrupted');
});

test.each(['yesterday', 5, undefined])('builds created at %j set no bound', async (time) => {
  const { list, numbers } = await whole({
    count: 8,
    before: ({ number, at, last }, response) => {
      if (number > 1) return;
      const link = `<${at(2)}>; rel="next", <${at(last)}>; rel="last"`;
      const builds = [8, 7].map((n) => ({ id: `b-${n}`, number: n, created_at: time }));
      response.writeHead(200, { link }).end(JSON.stringify(builds));
    },
  });
  expect(numbers).toEqual(down(8));
  expect(list.most()).toBe(1);
});
