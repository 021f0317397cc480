import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { head, tail, tailThenAll } from './head-tail.ts';

test('prints the existing last lines first, then every new line', () => {
  let hasCaughtUp = false;
  const last = tailThenAll(2, () => hasCaughtUp);
  const seen = [last.push('a\nb\n'), last.push('c\n')];
  hasCaughtUp = true;
  seen.push(last.push(''), last.push('d\ne\nf\n'), last.end());
  expect(seen).toEqual(['', '', 'b\nc\n', 'd\ne\nf\n', '']);
});

test('a log that ends earlier gives its last lines', () => {
  const last = tailThenAll(1, () => false);
  expect([last.push('a\nb\n'), last.end()]).toEqual(['', 'b\n']);
});

const lines = ['a\n', 'b\n', 'c\n', 'd\n', 'e\n', 'f'];

/** The same lines in other chunks; for a growing log, some are empty. */
const pieces = [
  [lines.join('')],
  lines,
  ['a\nb\n', '', 'c\nd\ne\n', 'f'],
  ['', 'a\nb\nc\nd\n', 'e\n', 'f', ''],
];

test.each([0, 1, 2, 3, 4, 5, 6, 7])('the last %i lines, in any chunks', (count) => {
  for (const all of [pieces, pieces.map((these) => [...these, '\n'])])
    for (const these of all) {
      const last = tail(count);
      for (const piece of these) expect(last.push(piece)).toBe('');
      const end = these.at(-1) === '\n' ? 'f\n' : 'f';
      expect(last.end()).toBe([...lines.slice(0, -1), end].slice(6 - Math.min(count, 6)).join(''));
    }
});

test('stops reading after the first lines', () => {
  const first = head(3);
  const seen = ['a\nb\n', 'c\nd\n', 'e\n'].map((piece) => [first.push(piece), first.done?.()]);
  expect([...seen, first.end()]).toEqual([['a\nb\n', false], ['c\n', true], ['', true], '']);
  expect(head(0).done?.()).toBe(true);
});

test('keeps no dropped lines in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const block = Buffer.alloc(500_000, `${'x'.repeat(99)}\n`);
  const last = tail(1000);
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  for (let read = 0; read < 200; read++) last.push(block.toString('latin1'));
  expect(used() - before).toBeLessThan(20 * 1024 * 1024);
  expect(last.end().split('\n')).toHaveLength(1001);
});
