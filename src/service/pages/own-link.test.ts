import { expect, test } from 'vitest';
import { ownLink } from './own-link.ts';

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
])('%j leads to %j', (address, link) => {
  expect(ownLink(base, address)).toBe(link);
});
