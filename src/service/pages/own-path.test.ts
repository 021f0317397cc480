import { expect, test } from 'vitest';
import { ownPath } from './own-path.ts';

test.each([
  ['/local/web/builds/7?tab=log#L12', '/local/web/builds/7?tab=log#L12'],
  ['/', '/'],
  [null, '/'],
  ['', '/'],
  ['local', '/'],
  ['//example.com/x', '/'],
  ['/\\example.com/x', '/'],
  ['/\t/example.com', '/'],
  ['/.//example.com', '/'],
  ['https://example.com', '/'],
  ['javascript:alert(1)', '/'],
  ['/a\r\nset-cookie: x=y', '/aset-cookie:%20x=y'],
])('%j is the path %j', (to, path) => {
  expect(ownPath(to)).toBe(path);
});
