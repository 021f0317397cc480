import { expect, test } from 'vitest';
import { grep } from './grep.ts';
import { head } from './head-tail.ts';
import { rawLines } from './line-buffer.ts';
import { settle } from './settle.ts';
import { chain, pump } from './stage.ts';

test('a finished stage stops the download', async () => {
  let sent = 0;
  let closed = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield await Promise.resolve(Buffer.from(`line ${++sent}\n`));
    } finally {
      closed = true;
    }
  }
  const pieces: string[] = [];
  for await (const piece of pump(endless(), chain(rawLines(), head(2)))) pieces.push(String(piece));
  expect(pieces.join('')).toBe('line 1\nline 2\n');
  expect({ sent, closed }).toEqual({ sent: 2, closed: true });
});

test('flushes held-back text before reporting a broken source', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one\nhalf a li');
    await Promise.resolve();
    throw new Error('broken off');
  }
  const got: string[] = [];
  const read = async (): Promise<void> => {
    for await (const piece of pump(broken(), settle())) got.push(piece.toString());
  };
  await expect(read()).rejects.toThrow('broken off');
  expect(got.join('')).toBe('one\nhalf a li');
});

test('a chain is finished as soon as one of its stages is', () => {
  const two = chain(rawLines(), head(1), head(5));
  expect(two.done?.()).toBe(false);
  two.push(Buffer.from('a\nb\n'));
  expect(two.done?.()).toBe(true);
  expect(chain(rawLines(), head(0)).done?.()).toBe(true);
  expect(chain(rawLines(), grep({ pattern: /a/ })).done?.()).toBe(false);
});

test('an empty result is not a chunk', async () => {
  async function* slow(): AsyncGenerator<Uint8Array> {
    for (const piece of ['a', 'b\n', '']) yield await Promise.resolve(Buffer.from(piece));
  }
  const pieces: string[] = [];
  for await (const piece of pump(slow(), rawLines())) pieces.push(String(piece));
  expect(pieces).toEqual(['ab\n']);
});
