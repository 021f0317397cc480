import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { fuzzed } from '../../../test/support/fuzz.ts';
import { openLogPieces } from './logs.ts';

function usePieces() {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-log-pieces-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'logs'));
  const file = (jobId: string): string => join(folder, 'logs', jobId);
  const openFor = (maxSize = 1e6) => openLogPieces(folder, { file, maxSize });
  const open = () => openFor();
  const log = (): string => (existsSync(file('j')) ? readFileSync(file('j'), 'latin1') : '');
  const left = (): string[] => readdirSync(join(folder, 'log-pieces'));
  return { pieces: open(), open, openFor, log, left };
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

test('a chunk after a gap is visible only when the gap is filled', async () => {
  const { pieces, log } = usePieces();
  await pieces.write('j', 4, bytes('ef'));
  await pieces.write('j', 2, bytes('cd'));
  expect(log()).toBe('');
  await pieces.write('j', 0, bytes('ab'));
  expect(log()).toBe('abcdef');
});

test('stores repeated or overlapping chunks once', async () => {
  const { pieces, log } = usePieces();
  await pieces.write('j', 0, bytes('abcd'));
  await pieces.write('j', 0, bytes('abcd'));
  await pieces.write('j', 2, bytes('cdef'));
  await pieces.write('j', 1, bytes('bc'));
  expect(log()).toBe('abcdef');
});

test('pending chunks survive a restart', async () => {
  const { pieces, open, log } = usePieces();
  await pieces.write('j', 3, bytes('de'));
  await open().write('j', 0, bytes('abc'));
  expect(log()).toBe('abcde');
});

test('chunks after a gap that is never filled come last, and no files remain', async () => {
  const { pieces, log, left } = usePieces();
  await pieces.write('j', 0, bytes('ab'));
  await pieces.write('j', 9, bytes('yz'));
  await pieces.write('j', 5, bytes('mn'));
  await pieces.finish('j');
  expect(log()).toBe('abmnyz');
  expect(left()).toEqual([]);
});

test('chunks in any order, size and repetition give the printed log', async () => {
  const whole = Array.from({ length: 60 }, (_, index) => String.fromCharCode(65 + index)).join('');
  const piece = fc.tuple(fc.nat(59), fc.integer({ min: 1, max: 20 }));
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      const { pieces: target, log } = usePieces();
      const all = [...pieces, [0, 60] as const];
      const writes = all.map(([from, size]) =>
        target.write('j', from, bytes(whole.slice(from, from + size))),
      );
      await Promise.all(writes);
      await target.finish('j');
      expect(log()).toBe(whole);
    }),
    fuzzed(50),
  );
});

test('large and small chunks join in any order', async () => {
  const { pieces, log } = usePieces();
  const parts = ['a'.repeat(50_000), 'b', 'c'.repeat(20_000), 'd'];
  let end = 0;
  const places = parts.map((part) => [(end += part.length) - part.length, part] as const);
  await Promise.all(places.toReversed().map(([at, part]) => pieces.write('j', at, bytes(part))));
  expect(log()).toBe(parts.join(''));
});

test('no files remain next to a log without gaps', async () => {
  const { pieces, left } = usePieces();
  await pieces.write('j', 2, bytes('cd'));
  expect(left()).toEqual(['j']);
  await pieces.write('j', 0, bytes('ab'));
  expect(left()).toEqual([]);
});

test("pending chunks never exceed the log's limit, however they overlap", async () => {
  const { log, left, openFor } = usePieces();
  const pieces = openFor(11);
  await pieces.write('j', 5, bytes('abcde'));
  await pieces.write('j', 6, bytes('bcdef'));
  await expect(pieces.write('j', 6, bytes('bcdef'))).rejects.toThrow(
    'while an earlier part was missing',
  );
  await pieces.write('j', 0, bytes('01234'));
  expect(log()).toBe('01234abcdef');
  expect(left()).toEqual([]);
});

test.each([['in order'], ['out of order']])('drops what exceeds the limit, %s', async (order) => {
  const { log, openFor } = usePieces();
  const pieces = openFor(6);
  const all = [
    [0, 'abcd'],
    [4, 'efgh'],
    [8, 'ijkl'],
  ] as const;
  for (const [at, text] of order === 'in order' ? all : all.toReversed())
    await pieces.write('j', at, bytes(text));
  await pieces.write('j', 4, bytes('efgh'));
  await pieces.finish('j');
  await pieces.write('j', 12, bytes('mnop'));
  await pieces.finish('j');
  expect(log()).toBe(
    'abcdef\x1b\\\ncictl: the log reached its limit of 6 bytes; the rest of the output was dropped\n',
  );
});
