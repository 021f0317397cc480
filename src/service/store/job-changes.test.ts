import { expect, test } from 'vitest';
import type { Job } from '../domain/records.ts';
import { jobChanges } from './job-changes.ts';

const job = (id: string): Job => ({ id }) as Job;
const [a, b, c] = [job('a'), job('b'), job('c')];
const other = job('b');
const added = job('n');

const ids = (before: readonly Job[], after: readonly Job[]): string[] => {
  const { changed, removed } = jobChanges(before, after);
  return [
    ...changed.map((change) => `${change.before === undefined ? '+' : ''}${change.after.id}`),
    ...removed.map(({ id }) => `-${id}`),
  ];
};

test.each<[string, readonly Job[], readonly Job[], string[]]>([
  ['nothing', [a, b, c], [a, b, c], []],
  ['one job', [a, b, c], [a, other, c], ['b']],
  ['one that is new behind all', [a, b], [a, b, added], ['+n']],
  ['one that is new before all', [a, b], [added, a, b], ['+n']],
  ['one that is new, beside one that changed', [a, b, c], [a, other, added, c], ['b', '+n']],
  ['one that is gone', [a, b, c], [a, c], ['-b']],
  ['one that has another in its place', [a, b, c], [a, added, c], ['+n', '-b']],
  ['the order alone', [a, b], [b, a], []],
])('finds %s', (_, before, after, found) => {
  expect(ids(before, after)).toEqual(found);
});

test('what changed comes with what it was', () => {
  const { changed } = jobChanges([a, b], [a, other]);
  expect(changed[0]?.before).toBe(b);
  expect(changed[0]?.after).toBe(other);
});
