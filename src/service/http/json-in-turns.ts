import { nextTurn } from '../../common/clock.ts';
import { jsonPieces } from './json-pieces.ts';
import { bytes, jsonType, type RouteResponse } from './response.ts';

export interface TurnOptions {
  readonly status?: number;
  readonly headers?: RouteResponse['headers'];
  /** Objects and lists that are written member by member. */
  readonly isLong?: (value: unknown) => boolean;
  /** Lets others have their turn; resolves when it is ours again. */
  readonly endTurn?: () => Promise<unknown>;
}

/** Characters made in one turn: a few milliseconds of work. */
const mostInTurn = 64 * 1024;

/**
 * A response that may be long: it is made in turns, between which others are answered. What goes wrong
 * in between is thrown, since nothing has been sent by then.
 */
export async function jsonInTurns(
  value: unknown,
  { status = 200, headers = {}, isLong, endTurn = nextTurn }: TurnOptions = {},
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
