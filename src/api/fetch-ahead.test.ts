import { expect, test } from 'vitest';
import { openPageWindow, textAhead, type LaterPages } from './fetch-ahead.ts';

const pages: LaterPages = {
  last: 30,
  address: (number) => new URL(`http://service/builds?page=${number}`),
  numberOf: ({ searchParams }) => Number(searchParams.get('page')),
};

/** A window over pages of this length, after a first page of `length` characters. */
function open(length: number, others = length) {
  const asked: number[] = [];
  const window = openPageWindow(pages, length, (_, number) => {
    asked.push(number);
    return Promise.resolve({ text: 'x'.repeat(others) });
  });
  const take = (number: number) => window.take(pages.address(number));
  return { asked, take };
}

test.each([
  ['short ones', 1000, 8],
  ['some of a third', textAhead / 3, 3],
  ['one of all that may wait', textAhead, 1],
  ['one of more', 2 * textAhead, 1],
])('fetched ahead of the reader: %s, with %i characters, %i pages', async (_, length, most) => {
  const { asked, take } = open(length);
  expect(asked).toHaveLength(most);
  await take(2);
  expect(asked).toHaveLength(most + 1);
});

test('fetches long pages one at a time', async () => {
  const { asked, take } = open(10, textAhead);
  expect(asked).toHaveLength(8);
  for (let number = 2; number < 9; number++) await take(number);
  // The first of them was read before the limit was known.
  expect(asked).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  await take(9);
  await take(10);
  expect(asked.at(-1)).toBe(11);
});
