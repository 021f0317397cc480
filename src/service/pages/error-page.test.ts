import { expect, test } from 'vitest';
import { ApiError } from '../http/api-error.ts';
import type { Call } from '../http/route.ts';
import { errorPage, methodsAt, openCommand } from './error-page.tsx';

const asks = (accept: string): Call =>
  ({
    header: (name: string) => (name === 'accept' ? accept : undefined),
    url: new URL('http://127.0.0.1:1/local'),
    query: new URLSearchParams(),
  }) as unknown as Call;

const storageError = Object.assign(new Error('disk I/O <error>'), { code: 'SQLITE_IOERR' });

test.each([
  [new Error('a <b>fault</b>'), 500, 'a &lt;b&gt;fault&lt;/b&gt;'],
  [new ApiError(503, 'The disk is full'), 503, 'The disk is full'],
  [new ApiError(404, 'No build found'), 404, '<h1>Page not found</h1>'],
  [storageError, 507, 'disk I/O &lt;error&gt;'],
])('renders %s as a page for a browser, and throws for an API client', (error, status, words) => {
  const page = errorPage(error, asks('text/html'), { name: 'Ann', formToken: 'form_1' });
  expect(page.status).toBe(status);
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.body).toContain(words);
  expect(page.body).toContain('Sign out');
  expect(() => errorPage(error, asks('application/json'))).toThrow(error);
});

test.each([
  ['//elsewhere.example/x', '/'],
  ['/.//elsewhere.example', '/'],
  ['/-/sign-in?to=//elsewhere.example', '/'],
  ['/-/sign-in?to=/local', '/local'],
  ['/local//p?q=//x', '/local//p?q=//x'],
])('redirects a signed-out visitor of %s to %s on this service', (address, path) => {
  const url = new URL(`http://127.0.0.1:1${address}`);
  const call = { ...asks('text/html'), url, query: url.searchParams };
  const page = errorPage(new ApiError(401, 'You are not signed in'), call);
  expect(page.body).toContain(`<a href="${path}">Open the page</a>`);
});

test.each([
  ['/', ['GET', 'HEAD']],
  ['/local/p/builds', ['GET', 'HEAD', 'POST']],
  ['/local/p/builds/', ['GET', 'HEAD', 'POST']],
  ['/local/p/builds/1/cancel', ['POST']],
  ['/a.b/c/builds/new', ['GET', 'HEAD']],
  ['/local/p/nothing', []],
  ['/local//p', []],
  ['/%', ['GET', 'HEAD']],
])('the page for %s allows %j', (path, methods) => {
  expect(methodsAt(path).methods).toEqual(methods);
});

test('names what the path refers to', () => {
  expect(methodsAt('/lo%20cal/p/builds/1').params).toEqual({
    ...{ org: 'lo cal', pipeline: 'p', number: '1' },
  });
});

test.each([
  ['/', 'cictl local open'],
  ['/local/web/builds/7#0190', 'cictl local open http://127.0.0.1:8090/local/web/builds/7#0190'],
  ['/local?state=failed&q=a', "cictl local open 'http://127.0.0.1:8090/local?state=failed&q=a'"],
  ['/$(id)', "cictl local open 'http://127.0.0.1:8090/$(id)'"],
  ["/';id;'", "cictl local open 'http://127.0.0.1:8090/%27;id;%27'"],
])('for %s, shows %s', (path, command) => {
  expect(openCommand(new URL(path, 'http://127.0.0.1:8090'))).toBe(command);
});
