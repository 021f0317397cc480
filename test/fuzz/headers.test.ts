/** Headers with numbers: how long to wait, and which range of a log was sent. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  contentRange,
  mediaType,
  notPlainText,
  headerSeconds,
  longestAsked,
  rateLimitWait,
} from '../../src/http/headers.ts';
import { anyText, fuzzed } from '../support/fuzz.ts';

const now = Date.parse('2026-11-20T10:00:00Z');
const limits = ['ratelimit', 'ratelimit-user', 'rate-limit', 'rate-limit-user'];
const names = [...limits.flatMap((name) => [`${name}-reset`, `${name}-remaining`]), 'retry-after'];
const signs = [
  '42',
  '0.5',
  ', ',
  '1e9',
  '-1',
  'Fri, 20 Nov 2026 10:00:10 GMT',
  'Sun, ',
  'bytes ',
  '*',
  '/',
];
const value = anyText(signs, 4);

const isWait = (wait: number | undefined): boolean =>
  wait === undefined || (wait >= 0 && wait <= longestAsked);

test('for any headers and body, the wait is zero to a year', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 }),
      fc.option(anyText(['{"reset":', '5', '}', '"reset"']), { nil: undefined }),
      (headers, text) => {
        const wait = rateLimitWait(
          { status: 429, headers, ...(text !== undefined && { text }) },
          now,
        );
        expect(isWait(wait)).toBe(true);
      },
    ),
    fuzzed(1500),
  );
});

const seconds = fc.nat(100_000);

test('the longest of several exhausted limits applies', () => {
  const limit = fc.record({ reset: seconds, left: fc.nat(2) });
  const drawn = fc.dictionary(fc.constantFrom(...limits), limit, { minKeys: 1 });
  fc.assert(
    fc.property(drawn, (drawn) => {
      const headers = Object.entries(drawn).flatMap(
        ([name, { reset, left }]): [string, string][] => [
          [`${name}-reset`, String(reset)],
          [`${name}-remaining`, String(left)],
        ],
      );
      const all = Object.values(drawn);
      const usedUp = all.filter(({ left }) => left === 0);
      const resets = (usedUp.length > 0 ? usedUp : all).map(({ reset }) => reset * 1000);
      const found = rateLimitWait({ status: 429, headers: Object.fromEntries(headers) }, now);
      expect(found).toBe(Math.max(...resets));
    }),
    fuzzed(1500),
  );
});

test('a retry date is as far away as it says', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1000, max: 100_000 }), seconds, (away, plain) => {
      const date = new Date(now + away * 1000).toUTCString();
      expect(rateLimitWait({ status: 429, headers: { 'retry-after': date } }, now)).toBe(
        Math.max(0, away) * 1000,
      );
      expect(
        rateLimitWait({ status: 429, headers: { 'retry-after': `${plain}, ${plain}` } }, now),
      ).toBe(plain * 1000);
    }),
    fuzzed(1000),
  );
});

test('the largest value of a repeated header applies', () => {
  fc.assert(
    fc.property(fc.array(seconds, { minLength: 1, maxLength: 4 }), value, (numbers, text) => {
      expect(headerSeconds(numbers.join(', '))).toBe(Math.max(...numbers) * 1000);
      expect(isWait(headerSeconds(text))).toBe(true);
    }),
    fuzzed(1500),
  );
});

test('a content range round-trips, and any other text is rejected', () => {
  const size = fc.option(fc.maxSafeNat(), { nil: undefined });
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.maxSafeNat(), size, value, (first, last, size, text) => {
      const part = contentRange({ 'content-range': ` Bytes ${first}-${last}/${size ?? '*'}` });
      expect(part).toEqual({ first, last, size });
      const none = contentRange({ 'content-range': `bytes */${size ?? '*'}` });
      expect(none).toEqual({ first: undefined, last: undefined, size });
      for (const number of Object.values(contentRange({ 'content-range': text }) ?? {}))
        expect(number === undefined || number >= 0).toBe(true);
    }),
    fuzzed(1500),
  );
});

test('reads a media type without its parameters', () => {
  const token = fc.stringMatching(/^[A-Za-z0-9!#$&^_.+-]{1,8}$/);
  fc.assert(
    fc.property(token, token, value, (type, subtype, rest) => {
      const headers = { 'content-type': ` ${type}/${subtype} ;${rest}` };
      expect(mediaType(headers)).toBe(`${type}/${subtype}`.toLowerCase());
      expect(() => notPlainText({ 'content-type': rest })).not.toThrow();
    }),
    fuzzed(1000),
  );
});
