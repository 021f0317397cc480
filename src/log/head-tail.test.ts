import { expect, test } from 'vitest';
import { tailThenAll } from './head-tail.ts';

test('the last lines that were there come first, then every line', () => {
  let hasCaughtUp = false;
  const last = tailThenAll(2, () => hasCaughtUp);
  const seen = [last.push('a\nb\n'), last.push('c\n')];
  hasCaughtUp = true;
  seen.push(last.push(''), last.push('d\ne\nf\n'), last.end());
  expect(seen).toEqual(['', '', 'b\nc\n', 'd\ne\nf\n', '']);
});

test('a log that ends before gives its last lines', () => {
  const last = tailThenAll(1, () => false);
  expect([last.push('a\nb\n'), last.end()]).toEqual(['', 'b\n']);
});
