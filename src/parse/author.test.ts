import { expect, test } from 'vitest';
import { parseAuthor } from './author.ts';

test.each([
  ['Ada Lovelace <ada@example.com>', 'Ada Lovelace', 'ada@example.com'],
  ['  A<a@b> ', 'A', 'a@b'],
])('%j has a name and an address', (text, name, email) =>
  expect(parseAuthor(text)).toEqual({ name, email }),
);

test.each(['', 'Ada', '<ada@example.com>', 'Ada <ada>', 'Ada <a@b> x', 'Ada <a @b>'])(
  '%j is no author',
  (text) => expect(() => parseAuthor(text)).toThrow('is no author'),
);
