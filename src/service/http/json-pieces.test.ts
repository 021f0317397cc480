import { expect, test } from 'vitest';
import { Elements, jsonPieces } from './json-pieces.ts';

const lazy = (...elements: unknown[]): Elements => new Elements(elements);

test.each([
  [1],
  ['a "b"'],
  [null],
  [undefined],
  [{}],
  [[]],
  [{ a: undefined }],
  [{ a: undefined, b: lazy() }],
  [lazy()],
  [lazy(1, 'a', null, undefined, { a: 1 }, [2])],
  [{ id: 1, jobs: lazy({ a: { b: [1] } }, { c: undefined }), 'x"': 'y' }],
  [lazy({ n: 1, jobs: lazy({ m: 1 }, lazy()) }, { n: 2, jobs: lazy() })],
  [{ jobs: lazy(1) }],
  [{ at: new Date(0), jobs: lazy(1) }],
])('%j is what it is at once', (value) => {
  const whole = value === undefined ? 'null' : JSON.stringify(value);
  expect([...jsonPieces(value)].join('')).toBe(whole);
  expect([...jsonPieces(value, () => true)].join('')).toBe(whole);
});

test('elements are made one by one, as their pieces are wanted', () => {
  let made = 0;
  function* numbers(): Generator<number> {
    while (made < 1000) yield ++made;
  }
  const pieces = jsonPieces({ id: 1, jobs: new Elements(numbers()) });
  expect([pieces.next().value, pieces.next().value, made]).toEqual(['{"id":1', ',"jobs":[1', 1]);
});

test('what the caller calls long is written in pieces too', () => {
  const edges = [{ node: { number: 1 } }, { node: { number: 2 } }];
  const isObject = (value: unknown): boolean => typeof value === 'object';
  const pieces = [...jsonPieces({ data: { edges } }, isObject)];
  expect(pieces[0]).toBe('{"data":{"edges":[{"node":{"number":1}');
  expect(pieces).toHaveLength(7);
});
