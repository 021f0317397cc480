import { expect, test } from 'vitest';
import { checkSlug } from './checks.ts';

test.each(['acme', 'a.b', 'Ünïcode', 'with space', '-dash', '%2e', 'a:b', '...x'.slice(2)])(
  '%j is a slug and stays as typed',
  (slug) => expect(checkSlug('pipeline', slug)).toBe(slug),
);

test.each([
  '',
  '.',
  '..',
  'a..b',
  '../x',
  'a/b',
  '/',
  'a?b',
  'a#b',
  'a\nb',
  'a\u0000',
  '\u0085',
  '\ud800',
])('rejects %j with exit code 2', (slug) => {
  const attempt = () => checkSlug('pipeline', slug);
  expect(attempt).toThrow(/invalid pipeline/);
  expect(attempt).toThrow(expect.objectContaining({ kind: 'usage' }));
});
