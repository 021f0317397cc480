import { expect, test } from 'vitest';
import { urlBelow, type Query } from './url.ts';

test.each<[string, (string | number)[], string]>([
  ['http://ci.test', ['v2', 'builds'], 'http://ci.test/v2/builds'],
  ['http://ci.test/', ['v2'], 'http://ci.test/v2'],
  ['https://ci.test:8443/api//', ['v2', 7], 'https://ci.test:8443/api/v2/7'],
  ['http://user:secret@ci.test', ['v2'], 'http://ci.test/v2'],
  ['http://ci.test', ['a b', 'ü', '%2e%2e', 'x;y'], 'http://ci.test/a%20b/%C3%BC/%252e%252e/x%3By'],
])('%s with %j', (base, segments, expected) => {
  expect(urlBelow(base, segments).href).toBe(expected);
});

test.each<[Query, string]>([
  [{ state: ['passed'] }, 'state=passed'],
  [{ state: ['passed', 'failed'] }, 'state[]=passed&state[]=failed'],
  [{ state: [] }, ''],
  [{ branch: ['feature/a+b c'] }, 'branch=feature%2Fa%2Bb+c'],
  [{ meta_data: { 'a b': '1', c: 'x&y' } }, 'meta_data[a+b]=1&meta_data[c]=x%26y'],
  [
    { per_page: 30, include_retried_jobs: true, creator: undefined },
    'per_page=30&include_retried_jobs=true',
  ],
])('query %j', (query, expected) => {
  const { search } = urlBelow('http://ci.test', ['v2'], query);
  expect(search.slice(1).replaceAll('%5B', '[').replaceAll('%5D', ']')).toBe(expected);
});

test.each(['', '.', '..', 'a/b', 'a?b', 'a#b', 'a\nb', 'a\u0000', '\ud800'])(
  'rejects the segment %j',
  (segment) => {
    expect(() => urlBelow('http://ci.test', ['v2', segment])).toThrow('cannot be part of a URL');
  },
);
