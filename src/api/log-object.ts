import { InvalidResponseError } from '../http/invalid-response-error.ts';
import type { Response } from '../http/transport.ts';
import { scannedKinds, scanPiece, scanStart, type MemberKinds } from './scan-object.ts';

type Body = Response['body'];

/**
 * The JSON object of a job log as a stream, of any size in flat memory. Throws
 * `InvalidResponseError` where it is no object, or `content` no text, or `size` no integer: a wrong
 * response that is small has printed nothing, one that is large has passed as far as it seemed
 * right.
 */
export async function* checkedLogObject(body: Body): AsyncGenerator<Uint8Array> {
  let scan = scanStart;
  let start: Uint8Array[] | undefined = [];
  let buffered = 0;
  for await (const piece of body) {
    scan = scanPiece(scan, piece);
    buffered += piece.length;
    if (start === undefined) {
      yield piece;
    } else {
      start.push(piece);
      if (buffered < maxBuffered) continue;
      yield* start;
      start = undefined;
    }
  }
  check(scannedKinds(scan));
  yield* start ?? [];
}

const maxBuffered = 65_536;

function check({ content = 'missing', size = 'null' }: MemberKinds): void {
  if (content !== 'a string')
    throw new InvalidResponseError(`content is ${content} instead of a string`);
  if (size === 'a number' || size === 'null') return;
  throw new InvalidResponseError(`size is ${size} instead of an integer`);
}
