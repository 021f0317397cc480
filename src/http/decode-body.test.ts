import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { acceptEncoding, decodeBody } from './decode-body.ts';
import type { Response } from './transport.ts';

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

test('a part is asked for as it is, the rest packed', () => {
  expect([acceptEncoding('bytes=0-1'), acceptEncoding(undefined)]).toEqual([
    ...['identity', 'gzip, br'],
  ]);
});

test.each([undefined, '', 'identity', 'Identity, ,identity'])('%j is left as it is', (encoding) => {
  const given = response(encoding, text);
  expect(decodeBody(given)).toBe(given);
});

test.each([
  ['gzip', gzipSync(text)],
  ['GZIP', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['identity, gzip ', gzipSync(text)],
  ['br', brotliCompressSync(text)],
])('%s is unpacked, and the headers stay', async (encoding, body) => {
  expect(await read(response(encoding, body))).toBe('a text');
  expect(decodeBody(response(encoding, body))).toMatchObject({
    ...{ status: 200, headers: { 'content-encoding': encoding } },
  });
});

test.each([
  ['deflate', 'compressed as "deflate"'],
  ['gzip,br', 'compressed as "gzip, br"'],
  ['x-gzip2', 'compressed as "x-gzip2"'],
  ['my-x-gzip', 'compressed as "my-x-gzip"'],
])('%s cannot be read, which an empty body does not meet', async (encoding, words) => {
  await expect(read(response(encoding, text))).rejects.toThrow(
    `the answer is ${words}, which cannot be read`,
  );
  expect(await read(response(encoding, new Uint8Array()))).toBe('');
  expect(decodeBody(response(encoding, text, 203)).status).toBe(203);
});

test('a part of something packed cannot be read', async () => {
  const part = response('gzip', gzipSync(text), 206);
  expect(decodeBody(part).status).toBe(206);
  await expect(read(part)).rejects.toThrow('a part (206) of something compressed, which');
});
