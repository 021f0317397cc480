import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test, describe } from 'vitest';
import { readBodyStart, readBodyText, acceptEncoding, decodeBody, checkRange } from './body.ts';
import { TransportError, type Response } from './transport.ts';

describe('read body', () => {
  const mib = 1024 * 1024;
  const response = (body: Response['body']): Response => ({ status: 200, headers: {}, body });

  /** A body with chunks of these sizes, followed by an error; chunks are created on demand. */
  async function* pieces(sizes: readonly number[], error?: Error) {
    const chunks = new Map<number, Uint8Array>();
    for (const size of sizes) {
      const chunk = chunks.get(size) ?? new Uint8Array(size);
      chunks.set(size, chunk);
      yield await Promise.resolve(chunk);
    }
    if (error !== undefined) throw error;
  }

  test('reads 256 MiB of a body, and not one byte more', async () => {
    const sizes = Array<number>(16).fill(16 * mib);
    const most = readBodyText(response(pieces(sizes, new Error('that was all'))));
    await expect(most).rejects.toThrow('that was all');
    const more = readBodyText(response(pieces([...sizes, 1], new Error('that was all'))));
    await expect(more).rejects.toThrow('the response is larger than 256 MiB');
  });

  test('rejects a body that is still arriving after ten times the request timeout', async () => {
    const slow = { ...response(pieces(Array<number>(100).fill(1))), timeout: 1000 };
    let now = 0;
    const text = readBodyText(slow, () => (now += 500));
    await expect(text).rejects.toThrow('incomplete after 10 s (ten times --request-timeout)');
  });

  test('joins characters split across chunks', async () => {
    const [first, second] = [Uint8Array.of(0x61, 0xc3), Uint8Array.of(0xa4)];
    async function* body() {
      yield await Promise.resolve(first);
      yield second;
    }
    expect(await readBodyText(response(body()))).toBe('aä');
    expect(await readBodyStart(response(body()))).toBe('aä');
  });

  test('reads 1 MiB of an error body, and nothing after it', async () => {
    const error = new Error('read too far');
    expect(await readBodyStart(response(pieces([mib - 1, 1], error)))).toHaveLength(mib);
    expect(await readBodyStart(response(pieces([mib - 1, 2], error)))).toHaveLength(mib);
    await expect(readBodyStart(response(pieces([mib - 1], error)))).rejects.toThrow('read too far');
  });

  test('uses the part of an error body that arrived before a broken connection', async () => {
    const error = new TransportError('broken off', 'maybe');
    expect(await readBodyStart(response(pieces([3], error)))).toBe('\0\0\0');
  });

  test('reads a slow, endless error body only for a while', async () => {
    let [now, pieces] = [0, 0];
    // eslint-disable-next-line @typescript-eslint/require-await -- a body is asynchronous by contract
    async function* drip() {
      for (; pieces < 1000; pieces++, now += 500) yield new TextEncoder().encode('x');
    }
    const text = await readBodyStart({ status: 422, headers: {}, body: drip() }, () => now);
    expect(text).toMatch(/^x+$/);
    expect(now).toBeLessThanOrEqual(10_500);
  });
});

describe('decode body', () => {
  const response = (encoding: string | undefined, body: Uint8Array, status = 200): Response => ({
    status,
    headers: encoding === undefined ? {} : { 'content-encoding': encoding },
    body: (async function* () {
      yield await Promise.resolve(body);
    })(),
  });

  async function read(given: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of decodeBody(given).body) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  const text = Buffer.from('a text');

  test('requests a range uncompressed, and everything else compressed', () => {
    expect([acceptEncoding('bytes=0-1'), acceptEncoding(undefined)]).toEqual([
      ...['identity', 'gzip, br'],
    ]);
  });

  test.each([undefined, '', 'identity', 'Identity, ,identity'])(
    'leaves the encoding %j unchanged',
    (encoding) => {
      const given = response(encoding, text);
      expect(decodeBody(given)).toBe(given);
    },
  );

  test.each([
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['identity, gzip ', gzipSync(text)],
    ['br', brotliCompressSync(text)],
  ])('decompresses %s and keeps the headers', async (encoding, body) => {
    expect(await read(response(encoding, body))).toBe('a text');
    expect(decodeBody(response(encoding, body))).toMatchObject({
      ...{ status: 200, headers: { 'content-encoding': encoding } },
    });
  });

  test.each([
    ['deflate', 'the unsupported encoding "deflate"'],
    ['gzip,br', 'the unsupported encoding "gzip, br"'],
    ['x-gzip2', 'the unsupported encoding "x-gzip2"'],
    ['my-x-gzip', 'the unsupported encoding "my-x-gzip"'],
  ])('%s cannot be read, unless the body is empty', async (encoding, words) => {
    await expect(read(response(encoding, text))).rejects.toThrow(`the response has ${words}`);
    expect(await read(response(encoding, new Uint8Array()))).toBe('');
    expect(decodeBody(response(encoding, text, 203)).status).toBe(203);
  });

  test('a compressed range cannot be read', async () => {
    const part = response('gzip', gzipSync(text), 206);
    expect(decodeBody(part).status).toBe(206);
    await expect(read(part)).rejects.toThrow('cannot decompress a partial response (206)');
  });
});

const part = (
  range: string | undefined,
  sizes: readonly number[] = [],
  status = 206,
): Response => ({
  status,
  headers: range === undefined ? {} : { 'content-range': range },
  body: (async function* () {
    for (const size of sizes) yield await Promise.resolve(new Uint8Array(size));
  })(),
});

test.each<[string, string, boolean]>([
  ['bytes=0-9', 'bytes 0-9/100', true],
  ['bytes=0-9', 'bytes 0-9/*', true],
  ['bytes=0-9', 'bytes 0-8/9', true],
  ['bytes=0-9', 'bytes 0-8/100', false],
  ['bytes=0-9', 'bytes 0-10/100', false],
  ['bytes=0-9', 'bytes 1-9/100', false],
  ['bytes=0-0', 'bytes 0-0/1', true],
  ['bytes=5-', 'bytes 5-99/100', true],
  ['bytes=5-', 'bytes 5-7/*', true],
  ['bytes=5-', 'bytes 5-98/100', false],
  ['bytes=5-', 'bytes 4-99/100', false],
  ['bytes=-10', 'bytes 90-99/100', true],
  ['bytes=-10', 'bytes 95-99/100', true],
  ['bytes=-10', 'bytes 89-99/100', false],
  ['bytes=-10', 'bytes 88-98/100', false],
  ['bytes=-10', 'bytes 88-97/*', true],
  ['bytes=-10', 'bytes 0-10/*', false],
  [' Bytes = 12 - 13 ', ' bytes  12-13/20 ', true],
  ['bytes=0-9', 'bytes 9-0/100', false],
  ['bytes=5-9', 'bytes 5-9/9', false],
  ['bytes=0-9', 'bytes 0-9/100 x', false],
  ['bytes=0-9', 'x bytes 0-9/100', false],
  ['bytes=0-9', 'lines 0-9/100', false],
])('for range %j, response %j matches: %s', (asked, said, fits) => {
  const check = () => checkRange(part(said), asked);
  if (fits) expect(check().status).toBe(206);
  else
    expect(check).toThrow(
      `the partial response (206, "${said}") does not match the requested "${asked}"`,
    );
});

test('rejects a range without Content-Range, and truncates a long one in the message', () => {
  expect(() => checkRange(part(undefined), 'bytes=0-9')).toThrow('(206, without Content-Range)');
  expect(() => checkRange(part('x'.repeat(61)), 'bytes=0-9')).toThrow(`"${'x'.repeat(60)}"`);
});

test('rejects an unexpected range, and accepts a whole response', () => {
  expect(() => checkRange(part('bytes 0-9/10'), undefined)).toThrow('unexpected partial response');
  const whole = part(undefined, [], 200);
  expect(checkRange(whole, 'bytes=0-9')).toBe(whole);
  expect(checkRange(whole, undefined)).toBe(whole);
});

test.each(['bytes=0-1,4-5', 'lines=0-9', 'bytes=0-9x', 'xbytes=0-9'])(
  'leaves %s to the caller',
  (asked) => {
    const given = part('bytes 3-4/9');
    expect(checkRange(given, asked)).toBe(given);
  },
);

test.each<[readonly number[], readonly number[], boolean]>([
  [[10], [10], true],
  [[4, 6], [4, 6], true],
  [[4, 5], [4, 5], false],
  [[4, 7], [4], false],
  [[10, 1], [10], false],
])('reads a body of %j as %j, whole: %s', async (sizes, given, isWhole) => {
  const { body } = checkRange(part('bytes 0-9/100', sizes), 'bytes=0-9');
  const seen: number[] = [];
  const reading = (async () => {
    for await (const chunk of body) seen.push(chunk.length);
  })();
  if (isWhole) await reading;
  else await expect(reading).rejects.toThrow('does not match its range');
  expect(seen).toEqual(given);
});
