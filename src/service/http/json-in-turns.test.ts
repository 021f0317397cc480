import { expect, test } from 'vitest';
import { elementsOf, jsonInTurns, Elements, jsonPieces } from './json-in-turns.ts';
import type { RouteResponse } from './response.ts';

/** The number of characters produced between two turns. */
function scene(count: number, size: number) {
  const turns: number[] = [];
  let made = 0;
  const elements = elementsOf(Array(count).keys(), (index) => {
    made += size;
    return { index, text: 'x'.repeat(size) };
  });
  const endTurn = (): Promise<void> => {
    turns.push(made);
    made = 0;
    return Promise.resolve();
  };
  return { elements, turns, endTurn };
}

async function textOf({ body }: RouteResponse): Promise<string> {
  if (typeof body === 'string') return body;
  const blocks: Uint8Array[] = [];
  for await (const block of body as AsyncIterable<Uint8Array>) blocks.push(block);
  return Buffer.concat(blocks).toString();
}

test('yields to other requests after a few elements', async () => {
  const { elements, turns, endTurn } = scene(100, 20_000);
  const response = await jsonInTurns(elements, { endTurn, status: 201, headers: { link: 'x' } });
  expect(turns.length).toBeGreaterThan(10);
  expect(Math.max(...turns)).toBeLessThanOrEqual(90_000);
  const text = await textOf(response);
  expect(response).toMatchObject({ status: 201 });
  expect(response.headers).toMatchObject({ link: 'x', 'content-length': String(text.length) });
  const list = JSON.parse(text) as { index: number }[];
  expect(list.map(({ index }) => index)).toEqual([...Array(100).keys()]);
});

test('serializes a short value at once', async () => {
  const { elements, turns, endTurn } = scene(3, 20_000);
  const { body } = await jsonInTurns(elements, { endTurn });
  expect([typeof body, turns]).toEqual(['string', []]);
});

test('throws errors instead of truncating the response', async () => {
  const elements = elementsOf(Array(100).keys(), (index) => {
    if (index === 99) throw new Error('no more');
    return 'x'.repeat(20_000);
  });
  const endTurn = (): Promise<void> => Promise.resolve();
  await expect(jsonInTurns(elements, { endTurn })).rejects.toThrow('no more');
});

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
])('serializes %j at once', (value) => {
  const whole = value === undefined ? 'null' : JSON.stringify(value);
  expect([...jsonPieces(value)].join('')).toBe(whole);
  expect([...jsonPieces(value, () => true)].join('')).toBe(whole);
});

test('serializes elements lazily, as chunks are read', () => {
  let made = 0;
  function* numbers(): Generator<number> {
    while (made < 1000) yield ++made;
  }
  const pieces = jsonPieces({ id: 1, jobs: new Elements(numbers()) });
  expect([pieces.next().value, pieces.next().value, made]).toEqual(['{"id":1', ',"jobs":[1', 1]);
});

test('writes a long value in chunks, as the caller decides', () => {
  const edges = [{ node: { number: 1 } }, { node: { number: 2 } }];
  const isObject = (value: unknown): boolean => typeof value === 'object';
  const pieces = [...jsonPieces({ data: { edges } }, isObject)];
  expect(pieces[0]).toBe('{"data":{"edges":[{"node":{"number":1}');
  expect(pieces).toHaveLength(7);
});
