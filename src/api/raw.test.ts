import { expect, test } from 'vitest';
import { serve, type Exchange } from '../../test/support/server.ts';
import { all, testClient } from '../../test/support/client.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import type { RawResponse } from './raw.ts';
import { rawAddress } from './raw-request.ts';

const read = async ({ status, body }: RawResponse) => ({
  status,
  text: Buffer.concat(await all(body)).toString(),
});

test.each([
  ['builds', 'http://ci.test/v2/builds'],
  ['/builds?state=a&x=%2F', 'http://ci.test/v2/builds?state=a&x=%2F'],
  ['/v2/builds', 'http://ci.test/v2/builds'],
  ['v2', 'http://ci.test/v2'],
  ['/v3/metrics', 'http://ci.test/v3/metrics'],
  ['v2x', 'http://ci.test/v2/v2x'],
  ['', 'http://ci.test/v2/'],
  ['//evil.test/x', 'http://ci.test/v2/evil.test/x'],
  ['@evil.test', 'http://ci.test/v2/@evil.test'],
  ['builds#part', 'http://ci.test/v2/builds'],
  ['http://ci.test/v2/a', 'http://ci.test/v2/a'],
  ['HTTP://user:pw@ci.test:80/v2/a', 'http://ci.test/v2/a'],
])('PATH %j', (path, expected) => {
  expect(rawAddress('http://ci.test/', path).href).toBe(expected);
});

test.each([
  'http://evil.test/v2',
  'https://ci.test/v2',
  'http://ci.test:81/',
  'ftp://ci.test/',
  'http://[',
])('refuses %s', (path) => {
  expect(() => rawAddress('http://ci.test', path)).toThrow(/is not the service|is not an address/);
});

test('keeps the path of the base address', () => {
  expect(rawAddress('http://ci.test/ci/', 'builds').href).toBe('http://ci.test/ci/v2/builds');
});

test('returns responses of any status as they came', async () => {
  const sent: Exchange[] = [
    { path: '/v2/x', answer: { status: 404, body: '{"message": "No"}' } },
    {
      method: 'POST',
      path: '/v2/y',
      headers: { 'content-type': 'text/x', 'x-own': '1' },
      body: 'a\nb',
      answer: { status: 500, body: 'oops' },
    },
    { method: 'PUT', path: '/v2/z', answer: { status: 302, headers: { location: '/q' } } },
    { method: 'HEAD', path: '/v2/h', answer: {} },
  ];
  const server = await serve(sent);
  const client = testClient(server.url, virtualClock());
  const ask = async (...[request]: Parameters<typeof client.raw>) =>
    read(await client.raw(request));
  expect(await ask({ method: 'get', path: 'x' })).toEqual({
    status: 404,
    text: '{"message": "No"}',
  });
  const headers = { 'Content-Type': 'text/x', 'X-Own': '1' };
  expect(await ask({ method: 'POST', path: 'y', headers, body: 'a\nb' })).toEqual({
    status: 500,
    text: 'oops',
  });
  expect(await ask({ method: 'PUT', path: 'z' })).toEqual({ status: 302, text: '' });
  expect(await ask({ method: 'HEAD', path: 'h' })).toEqual({ status: 200, text: '' });
  await client.close();
});

test.each([
  { method: 'BREW', path: 'x' },
  { method: 'GET', path: 'x', headers: { Authorization: 'Bearer other' } },
  ...[
    ...['Proxy-Authorization', 'Proxy-Connection', 'Host', 'Content-Length', 'Transfer-Encoding'],
    ...['Connection', 'Keep-Alive', 'Upgrade', 'Expect', 'TE', 'Trailer'],
  ].map((name) => ({ method: 'GET', path: 'x', headers: { [name]: 'x' } })),
  { method: 'GET', path: 'x', headers: { 'a b': 'c' } },
  { method: 'GET', path: 'x', headers: { a: 'b\r\nc: d' } },
  { method: 'GET', path: 'http://evil.test/' },
])('refuses %j and sends nothing', async (request) => {
  const server = await serve([]);
  const client = testClient(server.url, virtualClock());
  await expect(client.raw(request)).rejects.toMatchObject({ kind: 'usage' });
  await client.close();
});

test('says what to end with', async () => {
  const server = await serve([
    { path: '/v2/w', answer: { status: 400, body: '{"message":"because"}' } },
    { path: '/v2/x', answer: { status: 404 } },
    { path: '/v2/y', answer: { status: 429, headers: { 'retry-after': '900' } } },
    { path: '/v2/z', answer: {} },
  ]);
  const client = testClient(server.url, virtualClock());
  const failureOf = async (path: string) => {
    const response = await client.raw({ method: 'GET', path });
    await all(response.body);
    return response.failure?.();
  };
  expect(await failureOf('w')).toMatchObject({ message: 'cannot GET /v2/w: because' });
  expect(await failureOf('x')).toMatchObject({
    kind: 'not_found',
    message: `cannot GET /v2/x: ${server.url} knows no /v2/x`,
  });
  expect(await failureOf('y')).toMatchObject({ kind: 'rate_limited', hint: 'add --max-wait 900s' });
  expect(await failureOf('z')).toBeUndefined();
  await client.close();
});

test('walks pages', async () => {
  const server = await serve((url) => [
    { path: '/v2/builds', answer: { body: '[1]', headers: { link: `<${url}/p2>; rel="next"` } } },
    { path: '/p2', headers: { 'x-own': '1' }, answer: { body: '[2]' } },
  ]);
  const client = testClient(server.url, virtualClock());
  const texts: string[] = [];
  const pages = client.rawPages({ method: 'GET', path: 'builds', headers: { 'x-own': '1' } });
  for await (const page of pages) texts.push((await read(page)).text);
  expect(texts).toEqual(['[1]', '[2]']);
  await client.close();
});
