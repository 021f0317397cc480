import { expect, test } from 'vitest';
import { methodsAt } from './methods-at.ts';

test.each([
  ['/', ['GET', 'HEAD']],
  ['/local/p/builds', ['GET', 'HEAD', 'POST']],
  ['/local/p/builds/', ['GET', 'HEAD', 'POST']],
  ['/local/p/builds/1/cancel', ['POST']],
  ['/a.b/c/builds/new', ['GET', 'HEAD']],
  ['/local/p/nothing', []],
  ['/local//p', []],
  ['/%', ['GET', 'HEAD']],
])('a page of %s takes %j', (path, methods) => {
  expect(methodsAt(path).methods).toEqual(methods);
});

test('it says what the path names', () => {
  expect(methodsAt('/lo%20cal/p/builds/1').params).toEqual({
    ...{ org: 'lo cal', pipeline: 'p', number: '1' },
  });
});
