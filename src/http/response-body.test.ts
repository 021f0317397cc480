import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createResponseBody } from './response-body.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const kib = 1024;

/** A body whose events are noted; a piece may take a second. */
function body() {
  const events: string[] = [];
  const note = (word: string) => () => void events.push(word);
  const made = createResponseBody({
    timeout: 1000,
    ...{ pause: note('pause'), resume: note('resume') },
    ...{ cancel: note('cancel'), stall: note('stall') },
  });
  const reader = made.stream[Symbol.asyncIterator]();
  const read = async (): Promise<number | undefined> => {
    const next = await reader.next();
    return next.done === true ? undefined : next.value.length;
  };
  return {
    ...{ events, reader, read },
    begin: () => made.begin(),
    push: (size: number) => made.push(new Uint8Array(size)),
    end: () => made.end(),
    fail: (error: Error) => made.fail(error),
  };
}

/** Whether what waits comes in one piece is up to the line of Node. */
async function sizeOf(read: () => Promise<number | undefined>): Promise<number> {
  let size = 0;
  for (let piece = await read(); piece !== undefined; piece = await read()) size += piece;
  return size;
}

test('gives what was pushed in its order, and then its end', async () => {
  const { push, end, read } = body();
  push(1);
  push(2);
  end();
  expect(await sizeOf(read)).toBe(3);
  expect(await read()).toBeUndefined();
});

test('a reader that came first is given the next piece, and the end', async () => {
  const { push, end, read } = body();
  const first = read();
  await Promise.resolve();
  push(3);
  expect(await first).toBe(3);
  const last = read();
  await Promise.resolve();
  end();
  expect(await last).toBeUndefined();
});

test('a failure comes behind what was pushed before it', async () => {
  const { push, fail, read } = body();
  push(1);
  fail(new Error('broken off'));
  expect(await read()).toBe(1);
  await expect(read()).rejects.toThrow('broken off');
});

test('each piece begins the time limit anew; it ends with the body', () => {
  const { begin, push, end, events } = body();
  begin();
  for (let pieces = 0; pieces < 5; pieces++) {
    vi.advanceTimersByTime(999);
    push(1);
  }
  expect(events).toEqual([]);
  end();
  vi.advanceTimersByTime(10_000);
  expect(events).toEqual([]);
});

test('a service that sends nothing more stalls', () => {
  const { begin, push, events } = body();
  begin();
  push(1);
  vi.advanceTimersByTime(999);
  expect(events).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(events).toEqual(['stall']);
});

test('256 KiB that nobody reads pause the service, for which no time counts', async () => {
  const { begin, push, events, read } = body();
  begin();
  push(256 * kib - 1);
  expect(events).toEqual([]);
  push(1);
  push(1);
  expect(events).toEqual(['pause']);
  vi.advanceTimersByTime(60_000);
  expect(events).toEqual(['pause']);
  await read();
  expect(events).toEqual(['pause', 'resume']);
  vi.advanceTimersByTime(1000);
  expect(events).toEqual(['pause', 'resume', 'stall']);
});

test('the service goes on when what waited was read', async () => {
  const { begin, push, events, read } = body();
  begin();
  for (const size of [100, 28, 128]) push(size * kib);
  expect(events).toEqual(['pause']);
  let size = 0;
  while (size < 256 * kib) size += (await read()) ?? Infinity;
  expect([size, events]).toEqual([256 * kib, ['pause', 'resume']]);
});

test('a service that has sent all is not asked to go on', async () => {
  const { push, end, events, read } = body();
  push(256 * kib);
  end();
  await read();
  expect(events).toEqual(['pause']);
});

test('a reader who leaves early cancels; one at the end does not', async () => {
  const early = body();
  early.push(1);
  await early.reader.return?.();
  expect(early.events).toEqual(['cancel']);
  const late = body();
  late.end();
  expect(await late.reader.return?.()).toEqual({ done: true, value: undefined });
  expect(late.events).toEqual([]);
});
