import { expect, test } from 'vitest';
import { writeBehind } from './cached-log.ts';

const mebibyte = 1024 * 1024;

/** A file whose writes complete when the test says so. */
function slowFile() {
  const written: number[] = [];
  const release: (() => void)[] = [];
  const writev = (pieces: readonly Uint8Array[], at: number) =>
    new Promise<{ bytesWritten: number; buffers: typeof pieces }>((resolve) => {
      const bytesWritten = pieces.reduce((sum, { length }) => sum + length, 0);
      written.push(at);
      release.push(() => resolve({ bytesWritten, buffers: pieces }));
    });
  const next = async (): Promise<void> => {
    while (release.length === 0) await Promise.resolve();
    release.shift()?.();
  };
  return { written, file: { writev } as never, next };
}

const piece = (size: number): Uint8Array => new Uint8Array(size);

test('a slow disk does not delay small writes, and limits buffering', async () => {
  const { file, written, next } = slowFile();
  const { add } = writeBehind(file, 10);
  expect(add(piece(mebibyte))).toBeUndefined();
  expect(add(piece(4 * mebibyte))).toBeUndefined();
  const delayed = add(piece(1));
  expect(delayed).toBeInstanceOf(Promise);
  await next();
  await next();
  await delayed;
  expect(written).toEqual([10, 10 + mebibyte]);
});

test('small data is written in the end, after pending writes', async () => {
  const { file, written, next } = slowFile();
  const { add, finish } = writeBehind(file, 0);
  for (const size of [mebibyte, 5, 6]) void add(piece(size));
  const finished = finish();
  await next();
  await next();
  expect(await finished).toBe(mebibyte + 11);
  expect(written).toEqual([0, mebibyte]);
});

test.each([
  ['a disk that fails', () => Promise.reject(new Error('disk'))],
  ['a full disk', () => Promise.resolve({ bytesWritten: 1, buffers: [] })],
])('%s is reported at the next chunk and at the end, and stops nothing else', async (_, writev) => {
  const { add, finish, stop } = writeBehind({ writev } as never, 0);
  void add(piece(mebibyte));
  await stop();
  expect(() => add(piece(1))).toThrow(/disk|only 1 of/);
  await expect(finish()).rejects.toThrow(/disk|only 1 of/);
});

test('writes nothing after a stop', async () => {
  const { file, written, next } = slowFile();
  const { add, stop } = writeBehind(file, 0);
  void add(piece(mebibyte));
  void add(piece(mebibyte));
  const stopped = stop();
  await next();
  await stopped;
  expect(written).toEqual([0]);
});
