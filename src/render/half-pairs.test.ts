import { expect, test } from 'vitest';
import { toExit } from '../errors.ts';
import { checkHalfPairsInInput, checkHalfPairsInProgram } from './half-pairs.ts';

const thrownBy = (action: () => void): unknown => {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
};

test.each([
  ['"\\ud800"', '.'],
  ['"\\uDFFF"', '.'],
  ['["a","\\ud83d"]', '.[1]'],
  ['[{"jobs":[{"name":"x\\udc00y"}]}]', '.[0].jobs[0].name'],
  ['{"meta data":{"\\ud800":1}}', '.["meta data"]["\\ud800"]'],
  ['"\\udc00\\ud800"', '.'],
  ['"\\\\\\ud800"', '.'],
  ['"\ud800"', '.'],
])('in %s there is one at %s', (json, path) => {
  const error = thrownBy(() => checkHalfPairsInInput(json));
  expect(toExit(error)).toBe(9);
  expect(error).toHaveProperty('message', expect.stringContaining(`at ${path}, which jq`));
});

test.each(['"\\ud83d\\ude00"', '"👍"', '"\\\\ud800"', '"\\\\\\\\ud800"', '"\\u0041"', '{}'])(
  'in %s there is none',
  (text) => {
    expect(thrownBy(() => checkHalfPairsInInput(text))).toBeUndefined();
    expect(thrownBy(() => checkHalfPairsInProgram(text))).toBeUndefined();
  },
);

test.each(['"\\ud800"', '. == "\\uDe00"', '"\\ud83d\\ud83d"', '"a\ud800"'])(
  'refuses the program %s',
  (program) => {
    expect(toExit(thrownBy(() => checkHalfPairsInProgram(program)))).toBe(2);
  },
);

test('takes a million elements', () => {
  const json = `[${'{"a":"x"},'.repeat(500_000)}"\\ud800"]`;
  expect(thrownBy(() => checkHalfPairsInInput(json))).toHaveProperty(
    'message',
    expect.stringContaining('at .[500000],'),
  );
});
