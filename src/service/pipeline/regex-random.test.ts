/** Random patterns match the same in random texts as JavaScript's regular expressions. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzed } from '../../../test/support/fuzz.ts';
import { matchesRegex, parseRegex } from './regex.ts';

const atom = fc.constantFrom('a', 'b', 'A', '.', '[ab]', '[^a]', '\\w', '\\d', '\\s', '\\.', '-');
const edge = fc.constantFrom('^', '$', '\\b', '\\B');
const quantifier = fc.constantFrom('', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '+?');

const { pattern } = fc.letrec<{ pattern: string; group: string; piece: string }>((tie) => ({
  pattern: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
  group: fc
    .tuple(fc.constantFrom('(', '(?:', '(?=', '(?!'), tie('pattern'), tie('pattern'))
    .map(([open, one, other]) => `${open}${one}|${other})`),
  piece: fc.oneof(
    { depthSize: 'small' },
    fc.tuple(atom, quantifier).map((both) => both.join('')),
    edge,
    fc.tuple(tie('group'), quantifier).map(([group, times]) =>
      // Lookaheads are not repeated: engines differ in whether that is allowed.
      /^\(\?[=!]/.test(group) ? group : group + times,
    ),
  ),
}));

const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', '1', '.', '-', ' ', '\n'),
  maxLength: 8,
});

test('random patterns match random texts as the reference does', () => {
  fc.assert(
    fc.property(
      pattern,
      fc.array(text, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      (source, texts, ignoreCase) => {
        const regex = parseRegex(source, ignoreCase, (message) => {
          // Nested repetition is rejected before it runs.
          fc.pre(!message.includes('too large'));
          throw new Error(message);
        });
        const expected = new RegExp(source, ignoreCase ? 'i' : '');
        expect(texts.map((one) => matchesRegex(regex, one))).toEqual(
          texts.map((one) => expected.test(one)),
        );
      },
    ),
    fuzzed(3000),
  );
});
