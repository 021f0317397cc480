import { expect, test } from 'vitest';
import {
  contentRange,
  nextLink,
  mediaType,
  notPlainText,
  headerSeconds,
  longestAsked,
  rateLimitWait,
} from './headers.ts';

test.each([
  ['bytes 5-9/10', { first: 5, last: 9, size: 10 }],
  ['bytes 5-9/*', { first: 5, last: 9, size: undefined }],
  ['bytes */10', { first: undefined, last: undefined, size: 10 }],
  ['Bytes  5-9/10 ', { first: 5, last: 9, size: 10 }],
  ['lines 5-9/10', undefined],
  ['bytes 5-/10', undefined],
  ['', undefined],
])('reads "%s"', (text, expected) => {
  expect(contentRange({ 'content-range': text })).toEqual(expected);
});

test('a response without the header has none', () => {
  expect(contentRange({})).toBeUndefined();
});

test.each<[string | undefined, string | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['<http://ci.test/a?page=2>; rel="next"', 'http://ci.test/a?page=2'],
  [
    '<http://ci.test/a?page=2>; rel="next", <http://ci.test/a?page=9>; rel="last"',
    'http://ci.test/a?page=2',
  ],
  ['<http://ci.test/1>; rel="first", <http://ci.test/2>; rel="prev"', undefined],
  ['<http://ci.test/1>; rel="prev", <http://ci.test/3>; rel="next"', 'http://ci.test/3'],
  ['<http://ci.test/a?s=x,y;z&page=2>; rel="next"', 'http://ci.test/a?s=x,y;z&page=2'],
  ['<?page=2>;rel=next', '?page=2'],
  ['<b>; title="a, rel=next"; rel=prev, <c>; REL="last NEXT"', 'c'],
  ['<b>; rel="nextish"', undefined],
  ['<b>; title="of \\"c\\", d"; rel=next', 'b'],
  ['<b>; title="; rel=next"; rel=prev', undefined],
  ['<b>; rel=prev; rel=next', undefined],
  ['<b>; anchor; rel = next ; x', 'b'],
  [' , <a>; rel=next;, ', 'a'],
  ['<a>; rel="next", <a>; rel="next"', 'a'],
  ['<a>; rel="next", <a>; rel="last", <a>; rel="next"', 'a'],
  ["<b>; title*=UTF-8''a; rel=next", 'b'],
])('%j', (header, expected) => {
  expect(nextLink(header)).toBe(expected);
});

test.each([
  'rel="next"',
  '<<>>;;;,',
  'http://ci.test/2; rel="next"',
  '<http://ci.test/2; rel="next"',
  'http://ci.test/2>; rel="next"',
  '<http://ci.test/2> rel="next"',
  '<http://ci.test/2>; rel="next',
  '<http://ci.test/2>; rel="next" <http://ci.test/3>; rel="last"',
  '<a>; rel="prev", nonsense',
  '<a>; rel="next", <b>; rel="next"',
  'null',
  '{"next":"/2"}',
  // Every link has a relation (RFC 8288, 3.3), and single quotes are not quotes.
  "<http://ci.test/2>; rel='next'",
  '<http://ci.test/2>; rel next',
  '<http://ci.test/2>; rel=',
  '<http://ci.test/2>; title="next"',
  '<http://ci.test/2>',
])('%j is malformed, which is not the end of a list', (header) => {
  expect(() => nextLink(header)).toThrow('Link');
});

test('parses a long header quickly', () => {
  expect(() => nextLink(`<a>${'; a="'.repeat(19_999)}`)).toThrow('Link');
  expect(nextLink(`<a>${'; x'.repeat(20_000)}; rel=next`)).toBe('a');
});

test('shows the start of a malformed header', () => {
  const header = `x${'y'.repeat(80)}`;
  expect(() => nextLink(header)).toThrow(`"x${'y'.repeat(59)}"`);
  expect(() => nextLink('x <a>; rel=next')).toThrow('malformed');
});

test.each([['<a>; rel=prev,  , <b>; rel=next', 'b']])('%s links to %s', (header, target) => {
  expect(nextLink(header)).toBe(target);
});

test.each([
  ['text/plain', 'text/plain', undefined],
  ['  Text/HTML ; charset=utf-8', 'text/html', 'HTML'],
  ['text/html5', 'text/html5', undefined],
  ['application/json; a=b; c=d', 'application/json', 'JSON'],
  ['application/problem+json', 'application/problem+json', 'JSON'],
  ['application/json-seq', 'application/json-seq', undefined],
  ['json', 'json', undefined],
  ['text/xml', 'text/xml', 'XML'],
  ['image/svg+xml', 'image/svg+xml', 'XML'],
  ['text/xml-dtd', 'text/xml-dtd', undefined],
  ['', '', undefined],
])('%j is %j, exact: %s', (value, type, name) => {
  const headers = { 'content-type': value };
  expect([mediaType(headers), notPlainText(headers)]).toEqual([type, name]);
});

test('returns nothing without the header', () => {
  expect([mediaType({}), notPlainText({})]).toEqual(['', undefined]);
});

test.each<[string | undefined, number | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['42', 42_000],
  [' 0.5 ', 500],
  ['0', 0],
  ['42, 42', 42_000],
  ['7,42', 42_000],
  ['42, soon', undefined],
  ['-1', undefined],
  ['1e400', undefined],
  ['Infinity', undefined],
  ['99999999999', longestAsked],
  ['9'.repeat(400), longestAsked],
])('%j', (value, expected) => {
  expect(headerSeconds(value)).toBe(expected);
});

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

test('uses the limit that is exhausted', () => {
  const headers = {
    'ratelimit-reset': '50',
    'ratelimit-remaining': '120',
    'ratelimit-user-reset': '8',
    'ratelimit-user-remaining': '0',
  };
  expect(rateLimitWait({ status: 429, headers }, now)).toBe(8000);
});

test('uses the body if no header gives a wait', () => {
  const text = '{"message":"You have exceeded your API rate limit.","limit":50,"reset":42}';
  expect(rateLimitWait({ status: 429, headers: {}, text }, now)).toBe(42_000);
});

test('does not add up a value given twice', () => {
  const headers = {
    'ratelimit-reset': '50, 50',
    'ratelimit-remaining': '120, 120',
    'ratelimit-user-reset': '8',
    'ratelimit-user-remaining': '0, 0',
  };
  expect(rateLimitWait({ status: 429, headers }, now)).toBe(8000);
});

test.each(['1e400', '-4', '"soon"'])('ignores a reset of %s in the body', (reset) => {
  expect(
    rateLimitWait({ status: 429, headers: {}, text: `{"reset":${reset}}` }, now),
  ).toBeUndefined();
});

test.each([
  ['7', undefined],
  ['0', 50_000],
])('a 503 with %s requests left is not a rate limit', (left, expected) => {
  const headers = { 'ratelimit-reset': '50', 'ratelimit-remaining': left };
  expect(rateLimitWait({ status: 503, headers }, now)).toBe(expected);
});
