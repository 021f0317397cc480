import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { columnsOf } from './write.ts';

/** All alphabets, symbols and emojis; only samples of the rest, which is long and uniform. */
const blocks = [
  { from: 0xa0, to: 0x3400, step: 1 },
  { from: 0x3400, to: 0x1f000, step: 61 },
  { from: 0x1f000, to: 0x1fb00, step: 1 },
  { from: 0x1fb00, to: 0x110000, step: 257 },
];

test.each(blocks)('a character from $from to $to is as wide as in text', (block) => {
  const other: string[] = [];
  for (let code = block.from; code < block.to; code += block.step) {
    const character = String.fromCodePoint(code);
    if (columnsOf(code) !== stringWidth(character)) other.push(`U+${code.toString(16)}`);
  }
  expect(other).toEqual([]);
});

test.each<[string, number]>([
  ['a', 1],
  ['é', 1],
  ['漢', 2],
  ['🚀', 2],
  ['\u0301', 0],
  ['\u200d', 0],
  ['\u00ad', 0],
])('%j is %i wide, cached or not', (character, width) => {
  const code = character.codePointAt(0) ?? 0;
  expect([columnsOf(code), columnsOf(code)]).toEqual([width, width]);
});
