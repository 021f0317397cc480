import { expect, test } from 'vitest';
import { InvalidResponseError } from '../http/transport.ts';
import { decodeArray, decodeObject, readErrorBody } from './decode.ts';

test('returns objects and lists of objects', () => {
  expect(decodeObject(' {"a":"<"}')).toEqual({ a: '<' });
  expect(decodeArray('[]')).toEqual([]);
  expect(decodeArray('[{"a":1},{}]')).toEqual([{ a: 1 }, {}]);
});

test.each([
  ['', 'empty, not JSON'],
  [' \n\t', 'empty, not JSON'],
  ['<html>', 'HTML, not JSON'],
  ['\n  <html>', 'HTML, not JSON'],
  ['oops <b>', 'malformed JSON: "oops <b>"'],
  ['{"a":\n  x', 'malformed JSON: "{\\"a\\": x"'],
  [`x${'y'.repeat(50)}`, `malformed JSON: "x${'y'.repeat(39)}…"`],
  [`${'['.repeat(1001)}1${']'.repeat(1001)}`, 'nested deeper than 1000 levels'],
])('%s is %s', (text, what) => {
  const error = new InvalidResponseError(`the response is ${what}`);
  expect(() => decodeObject(text)).toThrow(error);
  expect(() => decodeArray(text)).toThrow(error);
});

test.each([
  ['[{}]', 'an array'],
  ['null', 'null'],
  ['"a"', 'a string'],
])('%s is not an object', (text, what) => {
  expect(() => decodeObject(text)).toThrow(`the response is ${what} instead of an object`);
});

test.each([
  ['{}', 'the response is an object instead of an array'],
  ['true', 'the response is a boolean instead of an array'],
  ['[{},null]', 'the response contains null instead of objects'],
  ['[[]]', 'the response contains an array instead of objects'],
])('%s is not a list of objects', (text, message) => {
  expect(() => decodeArray(text)).toThrow(new InvalidResponseError(message));
});

const json = (value: unknown) => readErrorBody(JSON.stringify(value));

test.each<[unknown, string | undefined]>([
  [{ message: 'a' }, 'a'],
  [{ error: 'a' }, 'a'],
  [{ message: 'a', error: 'b' }, 'a'],
  [{ message: ' \n', error: 'b' }, 'b'],
  [{ message: 5, error: 'b' }, 'b'],
  [{ message: 'a\n  b\u001b[31m' }, 'a b'],
  [{ message: null }, undefined],
  [{ message: '' }, undefined],
  [{}, undefined],
])('the message of %j is %j', (body, message) => {
  expect(json(body)).toEqual({ ...(message && { message }), details: [], isJson: true });
});

test.each<[string, string | undefined, boolean]>([
  ['busy\n', 'busy', false],
  ['', undefined, false],
  [' \n', undefined, false],
  ['<html>Oops</html>', undefined, false],
  [' <html>', undefined, false],
  ['{"message":', undefined, false],
  ['[broken', undefined, false],
  ['[]', undefined, true],
  ['["a"]', undefined, true],
  ['null', 'null', true],
  ['x'.repeat(300), `${'x'.repeat(200)}…`, false],
  ['a < b', 'a < b', false],
])('a short text instead of an object can explain an error: %j', (text, message, isJson) => {
  expect(readErrorBody(text)).toEqual({ ...(message && { message }), details: [], isJson });
});

test.each<[unknown, string[]]>([
  ['a\nb', ['a b']],
  [{ message: 'a' }, ['a']],
  [{ code: 'c' }, ['c']],
  [{ code: 'c', message: 'a' }, ['c, a']],
  [{ field: 'f' }, ['f']],
  [{ field: 'f', code: 'c' }, ['f: c']],
  [{ field: 'f', code: 'c', message: 'a' }, ['f: c, a']],
  [{ field: 5, reason: 'x' }, ['{"field":5,"reason":"x"}']],
  [7, ['7']],
  [null, ['null']],
  [['a'], ['["a"]']],
  ['', []],
  [' \n', []],
])('the entry %j says %j', (entry, details) => {
  expect(json({ message: 'm', errors: [entry] })).toEqual({ message: 'm', details, isJson: true });
});

test('without a message, uses the first entry', () => {
  expect(json({ errors: ['', 'a', 'b'] })).toEqual({
    ...{ message: 'a', details: ['b'], isJson: true },
  });
});

test.each([{ a: 1 }, 'a', null])('ignores errors that are not a list: %j', (errors) => {
  expect(json({ message: 'm', errors })).toEqual({ message: 'm', details: [], isJson: true });
});

test('limits the length of messages', () => {
  const errors = Array.from({ length: 50 }, () => 'y'.repeat(2000));
  const { message, details } = json({ message: 'x'.repeat(2000), errors });
  expect(message).toBe(`${'x'.repeat(500)}…`);
  expect(details).toHaveLength(20);
  expect(details[19]).toBe(`${'y'.repeat(300)}…`);
});
