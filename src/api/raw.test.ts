import { expect, test, vi } from 'vitest';
import { serve, type Exchange } from '../../test/support/server.ts';
import { all, testClient } from '../../test/support/client.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { type RawResponse, rawAddress } from './raw.ts';

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
  ['v12/x', 'http://ci.test/v12/x'],
  ['xv2/y', 'http://ci.test/v2/xv2/y'],
  ['a?to=http://other.test/', 'http://ci.test/v2/a?to=http://other.test/'],
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
])('rejects %s', (path) => {
  expect(() => rawAddress('http://ci.test', path)).toThrow(
    /is not the service URL|is not a valid URL/,
  );
});

test('keeps the path of the base URL', () => {
  expect(rawAddress('http://ci.test/ci/', 'builds').href).toBe('http://ci.test/ci/v2/builds');
  expect(rawAddress('http://ci.test/ci//', 'builds').href).toBe('http://ci.test/ci/v2/builds');
});

test('returns responses of any status unchanged', async () => {
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
])('rejects %j and sends nothing', async (request) => {
  const server = await serve([]);
  const client = testClient(server.url, virtualClock());
  await expect(client.raw(request)).rejects.toMatchObject({ kind: 'usage' });
  await client.close();
});

test('says which exit code to use', async () => {
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
    message: `cannot GET /v2/x: ${server.url} has no /v2/x`,
  });
  expect(await failureOf('y')).toMatchObject({ kind: 'rate_limited', hint: 'add --max-wait 900s' });
  expect(await failureOf('z')).toBeUndefined();
  await client.close();
});

test('follows pages', async () => {
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

test("sends the client's own headers unless the user overrides them", async () => {
  const plain = { accept: 'application/json', 'user-agent': 'cictl/test' };
  const authorization = 'Bearer token-of-the-test';
  const server = await serve([
    {
      path: '/v2/a',
      headers: { ...plain, authorization, 'accept-encoding': 'gzip, br', 'content-type': null },
    },
    { path: '/v2/b', headers: { accept: 'text/x', 'user-agent': 'me', authorization } },
    {
      path: '/v2/c',
      headers: { range: 'bytes=0-1', 'accept-encoding': 'identity' },
      answer: { status: 206, headers: { 'content-range': 'bytes 0-1/4' }, body: 'ab' },
    },
    {
      method: 'PATCH',
      path: '/v2/d',
      headers: { ...plain, 'content-type': 'application/json' },
      body: 'é',
    },
  ]);
  const client = testClient(server.url, virtualClock());
  const ask = async (...[request]: Parameters<typeof client.raw>) =>
    (await read(await client.raw(request))).status;
  expect(await ask({ method: 'GET', path: 'a' })).toBe(200);
  const headers = { Accept: 'text/x', 'User-Agent': 'me' };
  expect(await ask({ method: 'GET', path: 'b', headers })).toBe(200);
  expect(await ask({ method: 'GET', path: 'c', headers: { Range: 'bytes=0-1' } })).toBe(206);
  expect(await ask({ method: 'patch', path: 'd', body: Buffer.from('é') })).toBe(200);
  await client.close();
});

test('a dry run shows a binary body as text, and sends read-only requests', async () => {
  const server = await serve([{ path: '/v2/a' }, { method: 'HEAD', path: '/v2/a' }]);
  const planned: unknown[] = [];
  const dryRun = (request: unknown) => planned.push(request);
  const client = testClient(server.url, virtualClock(), { dryRun });
  const sent = client.raw({ method: 'put', path: 'a', body: Buffer.from('é') });
  await expect(sent).rejects.toMatchObject({ name: 'DryRun' });
  await read(await client.raw({ method: 'GET', path: 'a' }));
  await read(await client.raw({ method: 'HEAD', path: 'a' }));
  expect(planned).toEqual([{ method: 'PUT', url: `${server.url}/v2/a`, body: 'é' }]);
  await client.close();
});

test('an error quotes at most the first MiB of its body', async () => {
  const message = 'x'.repeat(100);
  const padding = ' '.repeat(2 * 1024 * 1024);
  const server = await serve([
    { path: '/v2/a', answer: { status: 400, body: `{"message":"${message}",${padding}"a":1}` } },
    { path: '/v2/b', answer: { status: 400, body: `${padding}{"message":"late"}` } },
    { path: '/v2/c', answer: { status: 400, body: '{"message":"unread"}' } },
  ]);
  const client = testClient(server.url, virtualClock());
  const failureOf = async (path: string, isRead = true) => {
    const response = await client.raw({ method: 'GET', path });
    if (isRead) await all(response.body);
    return response.failure?.().message;
  };
  expect(await failureOf('a')).toBe(`cannot GET /v2/a: ${message}`);
  expect(await failureOf('b')).toBe('cannot GET /v2/b: the service returned 400');
  expect(await failureOf('c', false)).toBe('cannot GET /v2/c: the service returned 400');
  await client.close();
});

test.each([200, 400])(
  'a body of status %i that breaks off has a readable message',
  async (status) => {
    const server = await serve([
      { method: 'PUT', path: '/v2/a', answer: { status, body: 'abcdef', fault: 'truncate' } },
    ]);
    const client = testClient(server.url, virtualClock());
    const { body } = await client.raw({ method: 'PUT', path: 'a' });
    await expect(all(body)).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringMatching(/^cannot PUT \/v2\/a: the response was interrupted/) as string,
    });
    await client.close();
  },
);

test.each([
  ['application/json', false],
  ['text/plain', true],
])('for %s, a body that arrives past the timeout is read: %s', async (type, isRead) => {
  const server = await serve([
    { path: '/v2/a', answer: { body: '[]', headers: { 'content-type': type } } },
  ]);
  const client = testClient(server.url, virtualClock());
  const { body } = await client.raw({ method: 'GET', path: 'a' });
  let time = 0;
  vi.spyOn(process, 'uptime').mockImplementation(() => (time += 1e6));
  const result = all(body).then(() => true);
  if (isRead) expect(await result).toBe(true);
  else await expect(result).rejects.toThrow('the response was still incomplete after');
  vi.restoreAllMocks();
  await client.close();
});

test("names a later page that fails, with the service's login", async () => {
  const server = await serve((url) => [
    { path: '/v2/builds', answer: { body: '[1]', headers: { link: `<${url}/p>; rel="next"` } } },
    { path: '/p', answer: { status: 401, json: { message: 'No' } } },
  ]);
  const client = testClient(server.url, virtualClock(), { login: 'cictl local up' });
  const failures: unknown[] = [];
  for await (const page of client.rawPages({ method: 'get', path: 'builds' })) {
    await all(page.body);
    failures.push(page.failure?.());
  }
  expect(failures).toEqual([
    undefined,
    expect.objectContaining({
      message: 'cannot GET /p (page 2): the service rejected the token: No',
      hint: 'cictl local up',
    }),
  ]);
  await client.close();
});

test.each([
  { method: 'BREW', path: 'x' },
  { method: 'GET', path: 'http://evil.test/' },
])('does not page %j', async (request) => {
  const server = await serve([]);
  const client = testClient(server.url, virtualClock());
  await expect(all(client.rawPages(request))).rejects.toMatchObject({ kind: 'usage' });
  await client.close();
});

test.each([
  [{ method: 'BREW' }, 'the method must be one of GET, POST, PUT, PATCH, DELETE, HEAD, not "BREW"'],
  [{ headers: { Host: 'x' } }, 'cannot set the header host'],
  [{ headers: { 'A b': 'x' } }, 'invalid header "a b"'],
])('reports what is wrong with %j', async (request, message) => {
  const server = await serve([]);
  const client = testClient(server.url, virtualClock());
  const sent = client.raw({ method: 'GET', path: 'x', ...request });
  await expect(sent).rejects.toMatchObject({ kind: 'usage', message });
  await client.close();
});
