import { expect, test } from 'vitest';
import { firstOfPages } from './first-of-pages.ts';
import type { Pages } from './page.ts';

/** The first elements of a list; how many of its pages were read, and whether others are left. */
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
  ['up to the middle of a page', [[1, 2], [3, 4], [5]], 3, { items: [1, 2, 3], read: 2, more: 1 }],
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
])('a reader may leave before %s', async (_, pages, limit, pauses) => {
  expect((await first(pages, limit)).pauses).toEqual(pauses);
});
