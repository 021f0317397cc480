import { expect, test } from 'vitest';
import { toExit } from '../errors.ts';
import { checkHalfPairsInProgram, replaceHalfPairs } from './half-pairs.ts';

const thrownBy = (action: () => void): unknown => {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
};

test.each(['"\\ud83d\\ude00"', '"👍"', '"\\\\ud800"', '"\\\\\\\\ud800"', '"\\u0041"', '{}'])(
  'in %s there is none',
  (text) => {
    expect(thrownBy(() => checkHalfPairsInProgram(text))).toBeUndefined();
  },
);

test.each(['"\\ud800"', '. == "\\uDe00"', '"\\ud83d\\ud83d"', '"a\ud800"'])(
  'refuses the program %s',
  (program) => {
    expect(toExit(thrownBy(() => checkHalfPairsInProgram(program)))).toBe(2);
  },
);

test.each([
  ['["\\ud800x", "\\ud83d\\ude00"]', '["\\ufffdx", "\\ud83d\\ude00"]'],
  ['"\\\\ud800\\udC00\ud800"', '"\\\\ud800\\ufffd\\ufffd"'],
  ['"👍"', '"👍"'],
])('replaces the halves in %s', (json, expected) => {
  expect(replaceHalfPairs(json)).toBe(expected);
});
