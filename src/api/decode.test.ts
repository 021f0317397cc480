import { expect, test } from 'vitest';
import { InvalidResponseError } from '../http/invalid-response-error.ts';
import { decodeArray, decodeObject } from './decode.ts';

test('gives objects and lists of objects', () => {
  expect(decodeObject(' {"a":"<"}')).toEqual({ a: '<' });
  expect(decodeArray('[]')).toEqual([]);
  expect(decodeArray('[{"a":1},{}]')).toEqual([{ a: 1 }, {}]);
});

test.each([
  ['', 'empty instead of JSON'],
  [' \n\t', 'empty instead of JSON'],
  ['<html>', 'HTML instead of JSON'],
  ['\n  <html>', 'HTML instead of JSON'],
  ['oops <b>', 'broken JSON, beginning with "oops <b>"'],
  ['{"a":\n  x', 'broken JSON, beginning with "{\\"a\\": x"'],
  [`x${'y'.repeat(50)}`, `broken JSON, beginning with "x${'y'.repeat(39)}…"`],
  [`${'['.repeat(1001)}1${']'.repeat(1001)}`, 'nested deeper than 1000 levels'],
])('%s is %s', (text, what) => {
  const error = new InvalidResponseError(`the answer is ${what}`);
  expect(() => decodeObject(text)).toThrow(error);
  expect(() => decodeArray(text)).toThrow(error);
});

test.each([
  ['[{}]', 'an array'],
  ['null', 'null'],
  ['"a"', 'a string'],
])('%s is no object', (text, what) => {
  expect(() => decodeObject(text)).toThrow(`the answer is ${what} instead of an object`);
});

test.each([
  ['{}', 'the answer is an object instead of an array'],
  ['true', 'the answer is a boolean instead of an array'],
  ['[{},null]', 'the answer holds null instead of objects'],
  ['[[]]', 'the answer holds an array instead of objects'],
])('%s is no list of objects', (text, message) => {
  expect(() => decodeArray(text)).toThrow(new InvalidResponseError(message));
});
