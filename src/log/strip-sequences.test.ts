import { expect, test } from 'vitest';
import { settle } from './settle.ts';
import { scanControls } from './strip-sequences.ts';

/** Bytes that lie `offset` bytes into memory of their own, with `behind` bytes behind them. */
function placed(text: string, offset: number, behind = 0): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  const memory = new Uint8Array(offset + bytes.length + behind);
  memory.set(bytes, offset);
  return Buffer.from(memory.buffer, offset, bytes.length);
}

const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

/** The first control character from the start on, found byte by byte. */
function expected(text: string, from: number): number {
  const found = /[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]/g;
  found.lastIndex = from;
  return found.exec(text)?.index ?? text.length;
}

const logs = [
  ...['', 'a', 'ab', 'abc', '\n', '\n\n\n', 'plain text\n', 'a\tb\nc\td\n'],
  ...['\x1b', 'a\r', 'ab\x00', 'abc\b', 'abcd\x1f', 'abcde\x1b[m\n', '\x08\x0b\x0c\x0e'],
  ...['\n\n\r\n', 'a\n\n\x1b\n', '\t\t\t\t\x1b', ' \x1f \x20\n', '\x1f\x1e\x1d', 'a\x1fb'],
  ...['\x7f', 'ab\x7fcd\x7f\x1b', 'abcdefgh\x7f', utf8('a\u0080b\u009fc\u00a0d'), 'abc\xc2'],
  ...[utf8('é\u00a0日本👍\n'), utf8('“quoted” … – —\n'), utf8('no → control\t\n')],
  ...[utf8('a\u202eb\u202ec\n'), utf8('\u061cx'), utf8('ab\u2066\u2069'), utf8('x\u2028\u2029')],
  ...[utf8('é “q”\x1b\u200e'), utf8('“\u200f”\x7f\u0085'), 'a\xe2\x80', 'ab\xd8', '\xe2\x80\xae'],
];

test.each(logs)('finds each control wherever the bytes lie in memory: %j', (log) => {
  for (const offset of [0, 1, 2, 3])
    for (const behind of [0, 1, 2, 3]) {
      const controls = scanControls(placed(log, offset, behind));
      for (let from = 0; from <= log.length; from++)
        expect(controls.next(from)).toBe(expected(log, from));
    }
});

test('a read that ends with a short line is settled like any other', () => {
  for (const offset of [0, 1, 2, 3])
    for (const last of ['\n', 'x\n', '\x1b[mx\n', 'xy\n']) {
      const stage = settle();
      // Of a line that was begun before, the rest of the read stays where it is.
      const out = stage.push(Buffer.from('a')) + stage.push(placed(`bc\n${last}`, offset));
      expect(out + stage.end()).toBe(`abc\n${last.replace('\x1b[m', '')}`);
    }
});
