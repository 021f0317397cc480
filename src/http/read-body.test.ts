import { expect, test } from 'vitest';
import { readBodyStart, readBodyText } from './read-body.ts';
import { TransportError, type Response } from './transport.ts';

const mib = 1024 * 1024;
const response = (body: Response['body']): Response => ({ status: 200, headers: {}, body });

/** A body of these sizes, and an error behind them; each chunk is made when it is asked for. */
async function* pieces(sizes: readonly number[], error?: Error) {
  const chunks = new Map<number, Uint8Array>();
  for (const size of sizes) {
    const chunk = chunks.get(size) ?? new Uint8Array(size);
    chunks.set(size, chunk);
    yield await Promise.resolve(chunk);
  }
  if (error !== undefined) throw error;
}

test('256 MiB of a body are read, and not one byte more', async () => {
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
  await expect(text).rejects.toThrow('not complete after 10 s, ten times --request-timeout');
});

test('letters that are cut are put together', async () => {
  const [first, second] = [Uint8Array.of(0x61, 0xc3), Uint8Array.of(0xa4)];
  async function* body() {
    yield await Promise.resolve(first);
    yield second;
  }
  expect(await readBodyText(response(body()))).toBe('aä');
  expect(await readBodyStart(response(body()))).toBe('aä');
});

test('1 MiB explains a failure, and nothing is read behind it', async () => {
  const error = new Error('read too far');
  expect(await readBodyStart(response(pieces([mib - 1, 1], error)))).toHaveLength(mib);
  expect(await readBodyStart(response(pieces([mib - 1, 2], error)))).toHaveLength(mib);
  await expect(readBodyStart(response(pieces([mib - 1], error)))).rejects.toThrow('read too far');
});

test('what broke off explains as far as it came', async () => {
  const error = new TransportError('broken off', 'maybe');
  expect(await readBodyStart(response(pieces([3], error)))).toBe('\0\0\0');
});

test('an explanation that drips in without end is read for a while', async () => {
  let [now, pieces] = [0, 0];
  // eslint-disable-next-line @typescript-eslint/require-await -- a body is asynchronous by contract
  async function* drip() {
    for (; pieces < 1000; pieces++, now += 500) yield new TextEncoder().encode('x');
  }
  const text = await readBodyStart({ status: 422, headers: {}, body: drip() }, () => now);
  expect(text).toMatch(/^x+$/);
  expect(now).toBeLessThanOrEqual(10_500);
});
