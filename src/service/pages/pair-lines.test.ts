import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesText, pairsOfLines } from './pair-lines.ts';

test('a value goes on to the end of its line, whatever is in it', () => {
  expect(pairsOfLines('A=1\n\n B = x=y \nC=', 'Environment')).toEqual({
    pairs: { A: '1', B: ' x=y ', C: '' },
    problems: [],
  });
});

test('a line that is no pair, and a name that comes twice, are named', () => {
  expect(pairsOfLines('A=1\nfoo\n=x\nA=2', 'Environment').problems).toEqual([
    'Environment, line 2: NAME=VALUE is expected',
    'Environment, line 3: NAME=VALUE is expected',
    'Environment, line 4: A is there twice',
  ]);
});

test('what pairs can be written as lines is read again', () => {
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]*$/);
  const value = fc.string().map((text) => text.replace(/[\r\n]/g, ' '));
  fc.assert(
    fc.property(fc.dictionary(name, value), (pairs) => {
      const text = Object.entries(pairs).map(([key, one]) => `${key}=${one}\r\n`);
      expect(Object.entries(pairsOfLines(linesText(text.join('')), 'Environment').pairs)).toEqual(
        Object.entries(pairs),
      );
    }),
  );
});
