import { expect, test } from 'vitest';
import type { PageCall } from './page-call.ts';
import { readPipelines, listPictures, type Part } from './lists.ts';
import { createChangeFeed } from '../scheduler/change-feed.ts';
import type { Picture } from './event-stream.ts';

/** A page of 30 pipelines with 20 builds each, and the requests that it makes. */
function callOf(asked: string[]): PageCall {
  const pipelines = Array.from({ length: 30 }, (_, index) => ({
    id: `id${index}`,
    slug: `s${index}`,
  }));
  const builds = Array.from({ length: 20 }, (_, index) => ({ number: index }));
  const fetch = (path: string): Promise<Response> => {
    asked.push(path);
    return Promise.resolve(Response.json(path.includes('/builds?') ? builds : pipelines));
  };
  return {
    ...{ api: { fetch }, query: new URLSearchParams(), params: { org: 'o' }, context: {} },
    service: { clock: { now: () => 0 }, store: { accounts: { organization: () => undefined } } },
  } as unknown as PageCall;
}

test('one request lists pipelines, and one per pipeline its builds without jobs', async () => {
  const asked: string[] = [];
  await readPipelines(callOf(asked), 'o');
  expect(asked).toHaveLength(31);
  for (const path of asked.slice(1))
    expect(path).toMatch(/\/builds\?exclude_jobs=true&exclude_pipeline=true&per_page=20$/);
});

test('a change in one pipeline requests only its builds', async () => {
  const asked: string[] = [];
  const { cards } = await readPipelines(callOf(asked), 'o', ['id7']);
  expect(asked.map((path) => path.split('?')[0])).toEqual([
    '/v2/organizations/o/pipelines',
    '/v2/organizations/o/pipelines/s7/builds',
  ]);
  expect(cards).toMatchObject([{ pipeline: { slug: 's7' }, builds: { length: 20 } }]);
});

/** The snapshots of a list, and what they read; their waits end when the test says. */
function watch(partsOf: (ids: readonly string[] | null) => readonly Part[]) {
  const feed = createChangeFeed(() => 1000);
  const waits: (() => void)[] = [];
  const next = (): Promise<void> => new Promise((resolve) => void waits.push(resolve));
  const asked: (readonly string[] | null)[] = [];
  const call = {
    service: { engine: { feed: { ...feed, next } } } as unknown as PageCall['service'],
    signal: new AbortController().signal,
  };
  const read = (ids: readonly string[] | null) => {
    asked.push(ids);
    return Promise.resolve(partsOf(ids));
  };
  const pictures = listPictures(call, 'pipeline', read, 0);
  return { feed, waits, asked, pictures };
}

/** The changed markup in the next snapshot. */
const nextText = async (pictures: AsyncGenerator<Picture>): Promise<string[]> =>
  ((await pictures.next()).value as Picture).changed.map(({ html }) => html);

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
};

test('refreshes only rows that change over time', async () => {
  let seconds = 1;
  const { waits, asked, pictures } = watch(() => [
    { id: 'a', element: <p>{seconds}</p>, growing: ['one'] },
    { id: 'b', element: <p>still</p>, growing: [] },
  ]);
  expect(await nextText(pictures)).toEqual(['<p>1</p>', '<p>still</p>']);
  const text = nextText(pictures);
  await until(() => waits.length === 1);
  seconds = 2;
  waits[0]?.();
  expect(await text).toEqual(['<p>2</p>']);
  expect(asked).toEqual([null, ['one']]);
});

test('a rendering is not exact if the list changed meanwhile', async () => {
  const { feed, pictures } = watch((ids) => {
    if (ids === null) feed.note('pipeline', ['new']);
    return [{ id: 'a', element: <p>new</p>, growing: [] }];
  });
  expect((await pictures.next()).value).toMatchObject({ isExact: false });
});

test('does not poll a list that has stopped changing', async () => {
  let growing = ['one'];
  const { feed, waits, asked, pictures } = watch((ids) => [
    { id: 'a', element: <p>{String(ids)}</p>, growing },
  ]);
  await nextText(pictures);
  const text = nextText(pictures);
  await until(() => waits.length === 1);
  growing = [];
  waits[0]?.();
  expect(await text).toEqual(['<p>one</p>']);
  const later = nextText(pictures);
  await until(() => waits.length === 2);
  waits[1]?.();
  await until(() => waits.length === 3);
  expect(asked).toEqual([null, ['one']]);
  feed.note('pipeline', ['two']);
  waits[2]?.();
  expect(await later).toEqual(['<p>two</p>']);
});
