/**
 * Slugs, pairs and authors: a valid slug is safe in a path, and a pair is split at its first `=`.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { urlBelow } from '../../src/http/url.ts';
import { parseAuthor, pair, pairs } from '../../src/parse/flag-values.ts';
import { checkSlug, isSlug } from '../../src/parse/checks.ts';
import { anyText, fuzzed, valueOrError } from '../support/fuzz.ts';

test('a slug reaches the service as typed, and no other path', () => {
  fc.assert(
    fc.property(anyText(['..', '.', '%2e', '/'], 6), (text) => {
      const found = valueOrError(() => checkSlug('pipeline', text), 'usage');
      expect('value' in found).toBe(isSlug(text));
      if ('error' in found) return;
      expect(found.value).toBe(text);
      const { origin, pathname, search, hash } = urlBelow('http://h:1/v2/', ['a', text, 'b']);
      expect([origin, search, hash]).toEqual(['http://h:1', '', '']);
      expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'v2', 'a', text, 'b']);
    }),
    fuzzed(1500),
  );
});

test('a URL keeps its path, whatever the segment', () => {
  fc.assert(
    fc.property(anyText(['..', '.', '%2e', '/'], 6), (text) => {
      const found = valueOrError(() => urlBelow('http://h:1/v2', [text, 'x']), 'usage');
      if ('value' in found)
        expect(found.value.pathname).toBe(
          `/v2/${new URL(`http://h/${encodeURIComponent(text)}`).pathname.slice(1)}/x`,
        );
    }),
    fuzzed(1500),
  );
});

test('splits a pair at the first =, and the last value of a key wins', () => {
  const key = anyText([], 4).filter((text) => text !== '' && !text.includes('='));
  fc.assert(
    fc.property(fc.array(fc.tuple(key, anyText(['='])), { maxLength: 4 }), (given) => {
      const texts = given.map(([key, value]) => `${key}=${value}`);
      expect(texts.map((text) => pair(text, '-e'))).toEqual(given);
      expect(Object.entries(pairs(texts, '-e')).sort()).toEqual([...new Map(given)].sort());
    }),
    fuzzed(1500),
  );
});

test('any text is a pair or an author, or exits with 2', () => {
  fc.assert(
    fc.property(anyText(['=', '<', '>', '@', 'Ada', ' ']), (text) => {
      const found = valueOrError(() => pair(text, '-e'), 'usage');
      expect('value' in found).toBe(text.indexOf('=') > 0);
      const author = valueOrError(() => parseAuthor(text), 'usage');
      if ('value' in author) {
        const { name, email } = author.value;
        expect(text.replaceAll(/\s/g, '')).toBe(`${name}<${email}>`.replaceAll(/\s/g, ''));
      }
    }),
    fuzzed(1500),
  );
});
