import { once } from 'node:events';
import { createServer, get, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { onAbort } from '../../common/abort.ts';
import type { App } from './app.ts';
import { serveApp } from './serve-app.ts';

async function useServer(app: App): Promise<number> {
  const server = createServer(serveApp(app, 'http'));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function got(port: number, path = '/'): Promise<IncomingMessage> {
  const [response] = (await once(get({ port, path }), 'response')) as [IncomingMessage];
  return response;
}

function withResolve() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

const nothing = { status: 204, headers: {}, body: null };

test('normalizes the URL, joins repeated headers, and sends the length', async () => {
  const port = await useServer(({ url, header }) =>
    Promise.resolve({ status: 201, headers: { 'x-a': '1' }, body: `${url} ${header('x-b')}` }),
  );
  const sent = request({ port, path: '/a/../b?c=d', headers: { 'x-b': ['1', '2'] } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = `http://localhost:${port}/b?c=d 1, 2`;
  expect(await text(response)).toBe(body);
  const { 'content-length': length, 'x-a': own } = response.headers;
  expect([response.statusCode, own, length]).toEqual([201, '1', String(body.length)]);
});

test.each(['GET x HTTP/1.1\r\nHost: a', 'GET / HTTP/1.1\r\nHost: a/b', 'GET / HTTP/1.0\r\nA: b'])(
  'responds with 400 to %j',
  async (head) => {
    const port = await useServer(() => Promise.resolve(nothing));
    const socket = connect(port, '127.0.0.1').end(`${head}\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  },
);

test('reads a body in chunks, and responds before it has read all of it', async () => {
  const port = await useServer(async ({ content }) => {
    for await (const chunk of content()) return { ...nothing, status: 200, body: String(chunk) };
    return nothing;
  });
  const sent = request({ port, method: 'POST', headers: { 'content-length': 100 } });
  sent.write('first');
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect(await text(response)).toBe('first');
});

test('sends the headers and each chunk of a stream immediately', async () => {
  const { promise: gate, resolve: go } = withResolve();
  async function* body() {
    await gate;
    yield Buffer.from('a');
    yield Buffer.from('b');
  }
  const port = await useServer(() => Promise.resolve({ status: 200, headers: {}, body: body() }));
  const response = await got(port);
  go();
  expect(await text(response)).toBe('ab');
});

test('aborts the signal if the client disconnects', async () => {
  const { promise: aborted, resolve } = withResolve();
  const port = await useServer(({ signal }) => {
    onAbort(signal, resolve);
    socket.destroy();
    return new Promise(() => undefined);
  });
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await aborted;
});

test('closes the connection if a stream fails', async () => {
  async function* body() {
    yield Buffer.from('a');
    await Promise.reject(new Error('broken'));
  }
  const port = await useServer(() => Promise.resolve({ status: 200, headers: {}, body: body() }));
  await expect(text(await got(port))).rejects.toThrow('aborted');
});
