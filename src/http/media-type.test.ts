import { expect, test } from 'vitest';
import { mediaType, notPlainText } from './media-type.ts';

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
