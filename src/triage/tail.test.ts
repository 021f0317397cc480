import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTail } from './tail.ts';

const response = (status: number, chunks: string[], range?: string) => ({
  status,
  headers: range === undefined ? {} : { 'content-range': range },
  body: Readable.from(chunks.map((chunk) => Buffer.from(chunk))),
});

test.each([
  ['a part', response(206, ['6789'], 'bytes 6-9/10'), '6789', true],
  ['a part that is all', response(206, ['0123'], 'bytes 0-3/4'), '0123', false],
  ['a part, nothing said of it', response(206, ['6789']), '6789', true],
  ['a small part, nothing said of it', response(206, ['89']), '89', false],
  ['a small part, its unit in capitals', response(206, ['89'], 'Bytes 8-9/10'), '89', true],
  ['everything, small', response(200, ['01', '2']), '012', false],
  ['everything, just as much', response(200, ['01', '23']), '0123', false],
  ['everything, large', response(200, ['0123', '4', '56', '789']), '6789', true],
  ['everything, in one piece', response(200, ['0123456789']), '6789', true],
  ['nothing', response(200, []), '', false],
  ['an empty log', response(416, ['{"message":"no such range"}']), '', false],
])('%s', async (_, log, bytes, isCut) => {
  const tail = await readTail(log, 4);
  expect([Buffer.from(tail.bytes).toString(), tail.isCut]).toEqual([bytes, isCut]);
});

test('keeps the same end for any chunk sizes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(200_000), { maxLength: 8 }),
      fc.nat(150_000),
      async (sizes, max) => {
        let next = 0;
        const pieces = sizes.map((size) => Uint8Array.from({ length: size }, () => next++ % 251));
        const body = Readable.from(pieces.map((piece) => Buffer.from(piece)));
        const tail = await readTail({ status: 200, headers: {}, body }, max);
        const all = Buffer.concat(pieces);
        const expected = all.subarray(Math.max(0, all.length - max));
        expect(Buffer.compare(Buffer.from(tail.bytes), expected)).toBe(0);
        expect(tail.isCut).toBe(all.length > max);
      },
    ),
    { numRuns: 40 },
  );
});

test('does not rescan small chunks', async () => {
  const piece = Buffer.alloc(100, 'x');
  // eslint-disable-next-line @typescript-eslint/require-await -- as a body comes
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < 400_000; at++) yield piece;
  }
  const { bytes } = await readTail({ status: 200, headers: {}, body: pieces() }, 8_000_000);
  expect(bytes.length).toBe(8_000_000);
});

test('memory does not grow with a log sent as a whole', async () => {
  let given = 0;
  const chunk = new Uint8Array(1024 * 1024);
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (; given < 512; given++) yield await Promise.resolve(Uint8Array.from(chunk));
  }
  const before = process.memoryUsage().arrayBuffers;
  const { bytes } = await readTail({ status: 200, headers: {}, body: endless() }, 1000);
  expect([given, bytes.length]).toEqual([512, 1000]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(300 * 1024 * 1024);
});
