import { expect, test } from 'vitest';
import { readErrorBody } from './error-body.ts';

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
])('of what is no object, a short text may explain something: %j', (text, message, isJson) => {
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
])('an entry %j says %j', (entry, details) => {
  expect(json({ message: 'm', errors: [entry] })).toEqual({ message: 'm', details, isJson: true });
});

test('without a message the first entry is it', () => {
  expect(json({ errors: ['', 'a', 'b'] })).toEqual({
    ...{ message: 'a', details: ['b'], isJson: true },
  });
});

test.each([{ a: 1 }, 'a', null])('errors that are no list say nothing: %j', (errors) => {
  expect(json({ message: 'm', errors })).toEqual({ message: 'm', details: [], isJson: true });
});

test('what is said is bounded', () => {
  const errors = Array.from({ length: 50 }, () => 'y'.repeat(2000));
  const { message, details } = json({ message: 'x'.repeat(2000), errors });
  expect(message).toBe(`${'x'.repeat(500)}…`);
  expect(details).toHaveLength(20);
  expect(details[19]).toBe(`${'y'.repeat(300)}…`);
});
