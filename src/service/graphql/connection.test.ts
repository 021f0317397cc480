import { expect, test } from 'vitest';
import type { Window } from '../store/sql.ts';
import { cursorOf, storedConnection, type StoredList } from './connection.ts';

/** A list `9 … 0` that records requests. */
function remembering(): { list: StoredList<string>; asked: unknown[] } {
  const asked: unknown[] = [];
  const all = '9876543210'.split('');
  const window = ({ after, before, limit, fromEnd }: Window): string[] => {
    asked.push(limit);
    const between = all.filter(
      (one) => (after === null || one < after) && (before === null || one > before),
    );
    return (fromEnd ? between.reverse() : between).slice(0, limit);
  };
  const count = (): number => {
    asked.push('count');
    return all.length;
  };
  const node = (id: string): string => {
    asked.push(`node ${id}`);
    return id;
  };
  return {
    asked,
    list: { window, count, idOf: (id) => id, isKnown: (id) => all.includes(id), node },
  };
}

test('reads one element more than the page, and counts or creates nodes only on request', async () => {
  const { list, asked } = remembering();
  const { edges, count } = await storedConnection(list, { first: 3 });
  expect(asked).toEqual([4]);
  expect([edges[1]?.node(), count()]).toEqual(['8', 10]);
  expect(asked).toEqual([4, 'node 8', 'count']);
});

const at = (id: string): string => cursorOf(id);

test.each([
  [{}, '9876543210', false, false],
  [{ first: 3 }, '987', false, true],
  [{ first: 3, after: at('7') }, '654', true, true],
  [{ first: 3, after: at('2') }, '10', true, false],
  [{ last: 3 }, '210', true, false],
  [{ last: 3, before: at('2') }, '543', true, true],
  [{ last: 3, before: at('7') }, '98', false, true],
  [{ first: 5, last: 2 }, '65', true, true],
  [{ first: 3, before: at('8') }, '9', false, true],
  [{ first: 0 }, '', false, true],
  [{ last: 0 }, '', true, false],
])('%j', async (given, expected, hasPreviousPage, hasNextPage) => {
  const { edges, pageInfo } = await storedConnection(remembering().list, given);
  expect(edges.map(({ node }) => node()).join('')).toBe(expected);
  expect(pageInfo).toMatchObject({ hasPreviousPage, hasNextPage });
});

test.each([
  [{ first: -1 }, '`first` must be between 0 and 500'],
  [{ last: 501 }, '`last` must be between 0 and 500'],
  [{ first: 1, after: 'x' }, '"x" is not a valid cursor for this list'],
  [{ first: 1, before: at('11') }, 'is not a valid cursor for this list'],
])('rejects %j', async (given, message) => {
  await expect(storedConnection(remembering().list, given)).rejects.toThrow(message);
});
