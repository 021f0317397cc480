import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { listen, type Limits, connectionLimit } from './listen.ts';
import { bytes, text } from './response.ts';

/** A server that reads what it receives and then responds with the size. */
async function useListener(limits: Partial<Limits> = {}) {
  const listener = await listen({ port: 0 }, { silence: 300, connections: 100, ...limits });
  onTestFinished(() => listener.close());
  listener.handle(async (request) => text(String((await buffer(request.content())).byteLength)));
  return listener;
}

/** A connection that sends this much; returns the response once it is closed. */
async function sent(port: number, text: string) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
  return { socket, received: receivedBy(socket) };
}

function receivedBy(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.once('close', () => resolve(text)));
}

const post = (length: number): string =>
  `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;

test.each([
  ['that says nothing', ''],
  ['that stops in the first line', 'GET / HT'],
  ['that stops in the headers', 'GET / HTTP/1.1\r\nHost: local'],
  ['that stops before the body', post(10)],
  ['that stops in the body', `${post(10)}12345`],
  ['that stops in the next request', `${post(1)}1GET / HT`],
])('disconnects a client %s', async (_, text) => {
  const { port } = await useListener();
  expect(await (await sent(port, text)).received).toContain(text === '' ? '' : '408');
});

test('reads a slow request body to its end', async () => {
  const { port } = await useListener();
  const { socket, received } = await sent(
    port,
    post(12).replace('Host', 'Connection: close\r\nHost'),
  );
  for (let n = 0; n < 12; n++) {
    await sleep(50);
    socket.write('x');
  }
  expect(await received).toMatch(/\r\n12$/);
});

test('a response may take any time', async () => {
  const listener = await useListener();
  listener.handle(() => sleep(600).then(() => text('late')));
  const { received } = await sent(
    listener.port,
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  );
  expect(await received).toMatch(/\r\nlate$/);
});

test('keeps a download open while it is not read', async () => {
  const listener = await useListener();
  const size = 8 << 20;
  listener.handle(() => Promise.resolve(bytes('text/plain', Buffer.alloc(size, 'x'))));
  const { socket, received } = await sent(
    listener.port,
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  );
  socket.pause();
  await sleep(600);
  socket.resume();
  expect((await received).length).toBeGreaterThan(size);
});

test('limits the number of connections', async () => {
  const { port } = await useListener({ connections: 2, silence: 60_000 });
  const [first] = [await sent(port, ''), await sent(port, '')];
  const third = await sent(port, '');
  expect(await third.received).toBe('');
  first.socket.destroy();
  await first.received;
  const answered = async (): Promise<boolean> => {
    const next = await sent(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    return (await next.received).includes('200');
  };
  while (!(await answered())) await sleep(5);
});

test('a connection beyond the limit closes idle ones', async () => {
  const { port } = await useListener({ connections: 1, silence: 60_000, idle: 60_000 });
  const idle = await sent(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(idle.socket, 'data');
  const refused = await sent(port, '');
  expect(await refused.received).toBe('');
  expect(await idle.received).toMatch(/^HTTP\/1\.1 200 [^]*keep-alive: timeout=60\r\n/i);
});

const pem = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../../../test/fixtures/tls/${name}.pem`), 'utf8');

/** The same over TLS. */
async function useTlsListener() {
  const tls = { cert: pem('cert'), key: pem('key') };
  const listener = await listen({ port: 0, tls }, { silence: 300, connections: 100 });
  onTestFinished(() => listener.close());
  listener.handle(async ({ url, content }) =>
    text(`${url} ${(await buffer(content())).toString()}`),
  );
  return listener;
}

async function secured(port: number, text: string): Promise<string> {
  const socket = connectTls({ port, host: '127.0.0.1', servername: 'localhost', ca: pem('cert') });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  const received = receivedBy(socket);
  socket.write(text);
  return received;
}

test('accepts only TLS if it has a certificate', async () => {
  const { port } = await useTlsListener();
  const request =
    'POST /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi';
  expect(await secured(port, request)).toMatch(/\r\nhttps:\/\/localhost\/x hi$/);
  expect(await (await sent(port, request)).received).toBe('');
});

test.each([
  [
    'that does not begin with TLS',
    (port: number) => sent(port, '').then(({ received }) => received),
  ],
  ['that says nothing after that', (port: number) => secured(port, '')],
  ['that stops in the headers', (port: number) => secured(port, 'GET / HTTP/1.1\r\nHost: local')],
  ['that stops in the body', (port: number) => secured(port, `${post(10)}12345`)],
])('disconnects a client over TLS %s', async (_, talk) => {
  const { port } = await useTlsListener();
  expect(await talk(port)).not.toContain('200');
});

test.each([
  [1, 1_048_576, 20_000],
  [0.75, 1_048_576, 20_000],
  [1, 20_000, 19_000],
  [0.25, 20_000, 4750],
  [1, 1024, 512],
])('a share of %d of %d files allows %d connections', (share, files, expected) => {
  expect(connectionLimit(share, files)).toBe(expected);
});

test('this system allows some connections', () => {
  expect(connectionLimit(1)).toBeGreaterThan(100);
});
