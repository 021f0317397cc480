import { expect, test } from 'vitest';
import { nextLink } from './link.ts';

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
  ['rel="next"', undefined],
  ['<<>>;;;,', undefined],
])('%j', (header, expected) => {
  expect(nextLink(header)).toBe(expected);
});
