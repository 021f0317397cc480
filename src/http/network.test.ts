import { createServer, type RequestListener } from 'node:http';
import {
  createServer as createSocketServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { all } from '../../test/support/client.ts';
import { createNetworkTransport, compilerFlag } from './network.ts';
import type { Request, Transport } from './transport.ts';
import { timeLimit } from '../../test/support/time-limit.ts';

const nodeVersion = process.versions.node;

/** Listens on loopback until the test has finished; returns `127.0.0.1:PORT`. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    if ('closeAllConnections' in server) (server.closeAllConnections as () => void)();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const serveHttp = (listener: RequestListener) => listen(createServer(listener));

function open(env: Record<string, string> = {}): Transport {
  const transport = createNetworkTransport({ env, nodeVersion });
  onTestFinished(() => transport.close());
  return transport;
}
const get = (base: string, rest: Partial<Request> = {}): Request => ({
  ...{ method: 'GET', url: new URL(`http://${base}/x?y=1`), headers: {}, timeout: timeLimit },
  ...rest,
});
const text = async (transport: Transport, request: Request): Promise<string> =>
  Buffer.concat(await all((await transport.send(request)).body)).toString();

test('sends a request and returns the response', async () => {
  const base = await serveHttp((request, response) => {
    const { method, url, headers } = request;
    void all(request).then((chunks) => {
      const body = Buffer.concat(chunks as Uint8Array[]).toString();
      response.setHeader('X-Twice', ['a', 'b']).writeHead(201);
      response.end(
        JSON.stringify([method, url, headers['content-length'], headers['x-own'], body]),
      );
    });
  });
  const transport = open();
  const response = await transport.send(
    get(base, { method: 'POST', headers: { 'x-own': '1' }, body: 'é' }),
  );
  expect(response).toMatchObject({ status: 201, headers: { 'x-twice': 'a, b' } });
  const body = Buffer.concat(await all(response.body)).toString();
  expect(JSON.parse(body)).toEqual(['POST', '/x?y=1', '2', '1', 'é']);
});

test('limits the wait for the response head', async () => {
  const clock = stillClock();
  const arrival = newArrival();
  const base = await serveHttp(arrival.come);
  const sending = open().send(get(base, { timeout: 50 }));
  const outcome = expect(sending).rejects.toMatchObject({
    message: `no response from http://${base} within 0.05 s`,
    reached: 'maybe',
  });
  await arrival.came;
  clock.move(50);
  await outcome;
});

test('limits the wait between two chunks of a body', async () => {
  const clock = stillClock();
  const base = await serveHttp((_, response) => void response.writeHead(200).write('begin'));
  const { body } = await open().send(get(base, { timeout: 100 }));
  const pieces: string[] = [];
  const reading = (async () => {
    for await (const piece of body) {
      pieces.push(Buffer.from(piece).toString());
      clock.move(100);
    }
  })();
  await expect(reading).rejects.toMatchObject({
    message: `no more data from http://${base} for 0.1 s`,
  });
  expect(pieces).toEqual(['begin']);
});

/** An event that a test waits for. */
function newArrival(): { readonly come: () => void; readonly came: Promise<void> } {
  let come = (): void => undefined;
  const came = new Promise<void>((resolve) => (come = resolve));
  return { come: () => come(), came };
}

/** Timeouts that only expire when the test says so. */
function stillClock(): { readonly move: (ms: number) => void } {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return { move: (ms) => void vi.advanceTimersByTime(ms) };
}

test('does not limit a whole download', async () => {
  const clock = stillClock();
  const last: { end?: () => void } = {};
  const base = await serveHttp((_, response) => {
    response.writeHead(200).write('a');
    last.end = () => void response.end('b');
  });
  const { body } = await open().send(get(base, { timeout: 60 }));
  let read = '';
  for await (const piece of body) {
    read += Buffer.from(piece).toString();
    clock.move(59);
    last.end?.();
  }
  expect(read).toBe('ab');
});

test('buffers little of a body that is not read', async () => {
  const size = 64 * 1024 * 1024;
  let left = size;
  const base = await serveHttp((_, response) => {
    const more = (): void => {
      while (left > 0) {
        left -= 65536;
        if (!response.write(Buffer.alloc(65536))) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
  const { body } = await open().send(get(base));
  const before = await settled(() => left);
  expect(before).toBeGreaterThan(size / 2);
  let read = 0;
  for await (const piece of body) read += piece.length;
  expect(read).toBe(size);
});

/** The value once it has stopped changing. */
async function settled(value: () => number): Promise<number> {
  for (let last = NaN; ; last = value()) {
    await new Promise((done) => setTimeout(done, 50));
    if (value() === last) return last;
  }
}

test('an abandoned response frees its connection', async () => {
  let closed = 0;
  const base = await serveHttp((_, response) => {
    response.on('close', () => closed++);
    response.write('x');
  });
  const { body } = await open().send(get(base));
  await body[Symbol.asyncIterator]().return?.();
  await expect.poll(() => closed).toBe(1);
});

test('serves several requests at once', async () => {
  const waiting: (() => void)[] = [];
  const base = await serveHttp((_, response) => {
    waiting.push(() => response.end('ok'));
    if (waiting.length === 4) for (const go of waiting) go();
  });
  const transport = open();
  const texts = await Promise.all([1, 2, 3, 4].map(() => text(transport, get(base))));
  expect(texts).toEqual(['ok', 'ok', 'ok', 'ok']);
});

test.each<[string, (socket: Socket) => unknown, RegExp]>([
  ['closes', (socket) => socket.end(), /^cannot reach .*: connection closed$/],
  ['speaks something else', (socket) => socket.end('SSH-2.0-x\r\n'), /: the response is not HTTP$/],
])('reports a server that %s', async (_, act, message) => {
  const base = await listen(
    createSocketServer((socket) => void socket.once('data', () => act(socket))),
  );
  await expect(open().send(get(base, { method: 'POST', body: 'x' }))).rejects.toMatchObject({
    message: expect.stringMatching(message) as string,
    reached: 'maybe',
  });
});

test('reports that a host does not exist', async () => {
  await expect(open().send(get('no-such-host.invalid'))).rejects.toMatchObject({
    name: 'TransportError',
    reached: 'no',
  });
});

test('closing the transport aborts requests in progress', async () => {
  const arrival = newArrival();
  const base = await serveHttp(arrival.come);
  const transport = createNetworkTransport({ env: {}, nodeVersion });
  const sending = transport.send(get(base));
  const outcome = expect(sending).rejects.toMatchObject({ name: 'TransportError' });
  await arrival.came;
  await transport.close();
  await outcome;
});

test('sends absolute URLs to HTTP_PROXY', async () => {
  const seen: (string | undefined)[] = [];
  const base = await serveHttp((request, response) => {
    seen.push(request.url, request.headers.host, request.headers['proxy-authorization']);
    response.end('through');
  });
  const transport = open({ HTTP_PROXY: `http://me:secret@${base}` });
  expect(await text(transport, get('ci.invalid:81'))).toBe('through');
  const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
  expect(seen).toEqual(['http://ci.invalid:81/x?y=1', 'ci.invalid:81', basic]);
});

test('connects directly to hosts in NO_PROXY', async () => {
  const base = await serveHttp((request, response) => response.end(request.url));
  const transport = open({ HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' });
  expect(await text(transport, get(base))).toBe('/x?y=1');
});

test('opens a tunnel through HTTPS_PROXY, and reports a refusal', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    asked.push(request.url);
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
  });
  const base = await listen(server);
  const transport = open({ HTTPS_PROXY: `http://${base}` });
  const request = get('', { url: new URL('https://ci.invalid/x') });
  await expect(transport.send(request)).rejects.toMatchObject({
    message: expect.stringContaining('407') as string,
    reached: 'no',
  });
  expect(asked).toEqual(['ci.invalid:443']);
});

test('reports an unreachable proxy, without its password', async () => {
  const transport = open({ HTTP_PROXY: 'http://me:secret@127.0.0.1:9' });
  await expect(transport.send(get('ci.invalid'))).rejects.toMatchObject({
    message: 'cannot reach http://ci.invalid: connection refused (through the proxy 127.0.0.1:9)',
    reached: 'no',
  });
});

test.each(['socks5://127.0.0.1:9', 'http://', '::'])('rejects the proxy %s', async (proxy) => {
  const env = { HTTP_PROXY: proxy };
  await expect(open(env).send(get('ci.invalid'))).rejects.toMatchObject({ kind: 'usage' });
});

test.each([
  ['20.19.0', '--liftoff-only'],
  ['20.20.2', '--liftoff-only'],
  ['22.12.0', undefined],
  ['24.0.0', undefined],
  ['26.1.0', undefined],
])('Node %s compiles with %s', (version, flag) => {
  expect(compilerFlag(version)).toBe(flag);
});
