import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { settledLines } from './settled-lines.ts';

async function texts(...chunks: readonly (string | Uint8Array)[]): Promise<string[]> {
  const log = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  const seen: string[] = [];
  for await (const text of settledLines(log, {})) seen.push(text);
  return seen;
}

test.each<[string, (string | Uint8Array)[], string[]]>([
  ['a line is there with its newline', ['one\n', 'two\n'], ['one\n', 'two\n']],
  ['a line waits for its newline', ['on', 'e\ntw', 'o\n'], ['one\n', 'two\n']],
  ['the last line may lack one', ['one\ntwo'], ['one\n', 'two']],
  ['marks and colours go', ['\x1b_bk;t=1\x07\x1b[31mred\x1b[0m\n'], ['red\n']],
  ['progress settles', ['10%\r50%\r', '100%\n'], ['100%\n']],
  [
    'a character may be split',
    [Buffer.from('ä\n').subarray(0, 1), Buffer.from('ä\n').subarray(1)],
    ['ä\n'],
  ],
  ['nothing', [], []],
])('%s', async (_, chunks, lines) => {
  expect(await texts(...chunks)).toEqual(lines);
});

test('each line stands alone: what is between two of them, takes no colour from them', async () => {
  const log = Readable.from(
    ['\x1b[31mred\nstill\n', 'on\x1b[0m\nplain\n'].map((text) => Buffer.from(text)),
  );
  const seen: string[] = [];
  for await (const text of settledLines(log, { colours: true })) seen.push(text);
  const red = (text: string): string => `\x1b[31m${text}\x1b[0m\n`;
  expect(seen).toEqual([red('red') + red('still'), `${red('on')}plain\n`]);
});
