import { expect, test } from 'vitest';
import {
  contentRange,
  nextLink,
  mediaType,
  notPlainText,
  headerSeconds,
  longestAsked,
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
  // Every link has a relation (RFC 8288, 3.3), and a name in single quotes is none.
  "<http://ci.test/2>; rel='next'",
  '<http://ci.test/2>; rel next',
  '<http://ci.test/2>; rel=',
  '<http://ci.test/2>; title="next"',
  '<http://ci.test/2>',
])('%j is malformed, and not the end of a list', (header) => {
  expect(() => nextLink(header)).toThrow('Link');
});

test('a long header is read in a moment', () => {
  expect(() => nextLink(`<a>${'; a="'.repeat(19_999)}`)).toThrow('Link');
  expect(nextLink(`<a>${'; x'.repeat(20_000)}; rel=next`)).toBe('a');
});

test('of a malformed header the beginning is told', () => {
  const header = `x${'y'.repeat(80)}`;
  expect(() => nextLink(header)).toThrow(`"x${'y'.repeat(59)}"`);
  expect(() => nextLink('x <a>; rel=next')).toThrow('malformed');
});

test.each([['<a>; rel=prev,  , <b>; rel=next', 'b']])('%s leads to %s', (header, target) => {
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
])('%j is %j, and certainly %s', (value, type, name) => {
  const headers = { 'content-type': value };
  expect([mediaType(headers), notPlainText(headers)]).toEqual([type, name]);
});

test('without the header it says nothing', () => {
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
