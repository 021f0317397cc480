import { expect, test } from 'vitest';
import { head } from './ends.ts';
import { rawLines } from './raw.ts';
import { chain, pump } from './stage.ts';

test('a stage that is done stops the download', async () => {
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
