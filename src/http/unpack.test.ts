import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { all } from '../../test/support/client.ts';
import { unpack, unpackLimits } from './unpack.ts';

const mebibyte = 1024 * 1024;

/** A chunked body; `isLeft` tells whether its reader stopped early. */
function inPieces(bytes: Uint8Array, size: number) {
  const state = { isLeft: false };
  async function* body(): AsyncGenerator<Uint8Array> {
    let isRead = false;
    try {
      for (let at = 0; at < bytes.length; at += size) {
        await Promise.resolve();
        yield bytes.subarray(at, at + size);
      }
      isRead = true;
    } finally {
      state.isLeft = !isRead;
    }
  }
  return { body: body(), state };
}

const content = Buffer.concat([randomBytes(3 * mebibyte), Buffer.alloc(mebibyte)]);

const quickly = (bytes: Uint8Array): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

test.each([
  ['gzip', gzipSync, 1],
  ['gzip', gzipSync, 100_000],
  ['br', quickly, 70_000],
] as const)('%s decompresses to the original', async (encoding, compress, size) => {
  const bytes = size === 1 ? content.subarray(0, 2000) : content;
  const { body } = inPieces(compress(bytes), size);
  expect(Buffer.concat(await all(unpack(body, encoding))).equals(bytes)).toBe(true);
});

test('an empty body stays empty', async () => {
  const { body } = inPieces(new Uint8Array(), 1);
  expect(await all(unpack(body, 'gzip'))).toEqual([]);
});

test('the limits are 1 GiB, and a ratio of 1000 above 64 MiB', () => {
  expect(unpackLimits).toEqual({ max: 1024 * mebibyte, times: 1000, alwaysAllowed: 64 * mebibyte });
});

test('aborts the source when decompressed data exceeds the limit', async () => {
  const { body, state } = inPieces(gzipSync(content), 10_000);
  const limits = { ...unpackLimits, max: mebibyte };
  await expect(all(unpack(body, 'gzip', limits))).rejects.toMatchObject({
    name: 'InvalidResponseError',
    message: 'the decompressed response is larger than 1 MiB',
  });
  await expect.poll(() => state.isLeft).toBe(true);
});

test('a reader that stops early ends the source', async () => {
  const { body, state } = inPieces(gzipSync(content), 10_000);
  for await (const chunk of unpack(body, 'gzip')) if (chunk.length > 0) break;
  await expect.poll(() => state.isLeft).toBe(true);
});

test('rethrows an error of the source', async () => {
  const error = new Error('the response was interrupted');
  async function* body(): AsyncGenerator<Uint8Array> {
    yield gzipSync(content).subarray(0, 5000);
    await Promise.resolve();
    throw error;
  }
  await expect(all(unpack(body(), 'gzip'))).rejects.toBe(error);
});
