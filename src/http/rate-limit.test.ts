import { expect, test } from 'vitest';
import { longestAsked } from './headers.ts';
import { rateLimitWait } from './rate-limit.ts';

const now = Date.parse('2026-11-20T10:00:00Z');

test.each<[Record<string, string>, number | undefined]>([
  [{}, undefined],
  [{ 'ratelimit-reset': '42' }, 42_000],
  [{ 'ratelimit-user-reset': '7' }, 7000],
  [{ 'rate-limit-reset': '5' }, 5000],
  [{ 'rate-limit-user-reset': '6' }, 6000],
  [{ 'retry-after': '3' }, 3000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 10:00:09 GMT' }, 9000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 09:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'ratelimit-reset': '-1' }, undefined],
  [{ 'ratelimit-reset': '2', 'retry-after': '9' }, 9000],
  [{ 'ratelimit-reset': '2', 'ratelimit-user-reset': '9' }, 9000],
  [{ 'ratelimit-reset': '42, 42' }, 42_000],
  [{ 'retry-after': '3, 3' }, 3000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 10:00:09 GMT, Fri, 20 Nov 2026 10:00:09 GMT' }, 9000],
  [{ 'retry-after': '1e400' }, undefined],
  [{ 'retry-after': '9'.repeat(400) }, longestAsked],
  [{ 'retry-after': '99999999999' }, longestAsked],
  [{ 'ratelimit-reset': '9'.repeat(400) }, longestAsked],
  [{ 'retry-after': 'Fri, 20 Nov 9999 10:00:09 GMT' }, longestAsked],
])('%j', (headers, expected) => {
  expect(rateLimitWait({ status: 429, headers }, now)).toBe(expected);
});

test('counts the limit that is used up', () => {
  const headers = {
    'ratelimit-reset': '50',
    'ratelimit-remaining': '120',
    'ratelimit-user-reset': '8',
    'ratelimit-user-remaining': '0',
  };
  expect(rateLimitWait({ status: 429, headers }, now)).toBe(8000);
});

test('takes the body where no header says anything', () => {
  const text = '{"message":"You have exceeded your API rate limit.","limit":50,"reset":42}';
  expect(rateLimitWait({ status: 429, headers: {}, text }, now)).toBe(42_000);
});

test('counts what is left once where it is said twice', () => {
  const headers = {
    'ratelimit-reset': '50, 50',
    'ratelimit-remaining': '120, 120',
    'ratelimit-user-reset': '8',
    'ratelimit-user-remaining': '0, 0',
  };
  expect(rateLimitWait({ status: 429, headers }, now)).toBe(8000);
});

test.each(['1e400', '-4', '"soon"'])('a reset of %s in the body says nothing', (reset) => {
  expect(
    rateLimitWait({ status: 429, headers: {}, text: `{"reset":${reset}}` }, now),
  ).toBeUndefined();
});

test.each([
  ['7', undefined],
  ['0', 50_000],
])('503 of a service that is busy with %s requests left', (left, expected) => {
  const headers = { 'ratelimit-reset': '50', 'ratelimit-remaining': left };
  expect(rateLimitWait({ status: 503, headers }, now)).toBe(expected);
});
