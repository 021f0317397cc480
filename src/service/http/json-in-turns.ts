import { nextTurn } from '../../common/clock.ts';
import { bytes, jsonType, type RouteResponse } from './response.ts';

/** Maximum number of characters to write per turn. A turn takes a few milliseconds. */
const mostInTurn = 64 * 1024;

/** Writes JSON in turns, with other requests in between. If this throws, nothing has been sent. */
export async function jsonInTurns(
  value: unknown,
  {
    status = 200,
    headers = {},
    isLong,
    endTurn = nextTurn,
  }: {
    status?: number;
    headers?: RouteResponse['headers'];
    isLong?: IsLong;
    endTurn?: () => Promise<unknown>;
  } = {},
): Promise<RouteResponse> {
  const blocks: Buffer<ArrayBuffer>[] = [];
  let text = '';
  for (const piece of jsonPieces(value, isLong)) {
    text += piece;
    if (text.length < mostInTurn) continue;
    blocks.push(Buffer.from(text));
    text = '';
    await endTurn();
  }
  if (blocks.length === 0) return bytes(jsonType, text, { status, headers });
  blocks.push(Buffer.from(text));
  const length = blocks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const all = { 'content-length': String(length), ...headers };
  return bytes(jsonType, inTurns(blocks, endTurn), { status, headers: all });
}

async function* inTurns(
  blocks: readonly Uint8Array[],
  endTurn: () => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  for (const block of blocks) {
    yield block;
    await endTurn();
  }
}

/** A long list whose elements are only created when they are written. */
export class Elements {
  readonly list: Iterable<unknown>;

  constructor(list: Iterable<unknown>) {
    this.list = list;
  }

  toJSON(): unknown[] {
    return [...this.list];
  }
}

export function elementsOf<T>(list: Iterable<T>, make: (element: T) => unknown): Elements {
  return new Elements(
    (function* () {
      for (const element of list) yield make(element);
    })(),
  );
}

export function* jsonPieces(value: unknown, isLong: IsLong = isElements): Generator<string> {
  if (value instanceof Elements) yield* listPieces(value.list, isLong);
  else if (!isContainer(value) || !isLongWithin(value, isLong))
    // Undefined becomes null, as in an array passed to `JSON.stringify`.
    yield value === undefined ? 'null' : JSON.stringify(value);
  else if (Array.isArray(value)) yield* listPieces(value, isLong);
  else yield* memberPieces(value, isLong);
}

type IsLong = (value: unknown) => boolean;

const isElements: IsLong = (value) => value instanceof Elements;

/** Objects with `toJSON` are written in one turn. */
const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('toJSON' in value);

const isLongWithin = (value: object, isLong: IsLong): boolean =>
  Object.values(value).some((one) => isElements(one) || isLong(one));

function* listPieces(list: Iterable<unknown>, isLong: IsLong): Generator<string> {
  let before = '[';
  for (const element of list) {
    for (const piece of jsonPieces(element, isLong)) {
      yield before + piece;
      before = '';
    }
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function* memberPieces(value: object, isLong: IsLong): Generator<string> {
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    before += `${JSON.stringify(name)}:`;
    for (const piece of jsonPieces(member, isLong)) {
      yield before + piece;
      before = '';
    }
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
