import { expect, test } from 'vitest';
import { ownLink, ownPath } from './addresses.ts';

const base = 'http://127.0.0.1:8090';

test.each([
  [`${base}/local/web`, '/local/web'],
  [`${base}/`, '/'],
  ['https://example.com/x', 'https://example.com/x'],
  ['http://127.0.0.1:80901/x', 'http://127.0.0.1:80901/x'],
  [`${base}//example.com`, `${base}//example.com`],
  [`${base}/\\example.com`, `${base}/\\example.com`],
  ['javascript:alert(1)', undefined],
  ['//example.com', undefined],
  ['git@example.com:a/b.git', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
])('%j links to %j', (address, link) => {
  expect(ownLink(base, address)).toBe(link);
});

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
])('%j has the path %j', (to, path) => {
  expect(ownPath(to)).toBe(path);
});
