import { contentRange } from './content-range.ts';
import type { Response } from './transport.ts';
import { InvalidResponseError } from './invalid-response-error.ts';

/**
 * The same response. Throws `InvalidResponseError` for a part (206) that was not requested, or
 * another than `asked`, the value of the header `range`; its body throws where it is longer or
 * shorter.
 */
export function checkRange(response: Response, asked: string | undefined): Response {
  if (response.status !== 206) return response;
  if (asked === undefined)
    throw new InvalidResponseError('the answer is a part (206) nobody asked for');
  const wanted = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(asked);
  // Several parts at once, or another unit: left to the caller.
  if (wanted === null) return response;
  const rangeHeader = response.headers['content-range'] ?? '';
  const { first = NaN, last = NaN, size = Infinity } = contentRange(response.headers) ?? {};
  const part = { first, last, size };
  if (!fits(part, wanted[1] ?? '', wanted[2] ?? '')) {
    const what = rangeHeader === '' ? 'without Content-Range' : `"${rangeHeader.slice(0, 60)}"`;
    throw new InvalidResponseError(`the answer is another part (206, ${what}) than "${asked}"`);
  }
  return { ...response, body: ofLength(response.body, part.last - part.first + 1) };
}

interface Part {
  readonly first: number;
  readonly last: number;
  /** Infinite where it is not said. */
  readonly size: number;
}

function fits({ first, last, size }: Part, from: string, to: string): boolean {
  if (!(first <= last && last < size)) return false;
  if (from !== '') {
    const end = Math.min(to === '' ? Infinity : Number(to), size - 1);
    return first === Number(from) && (last === end || end === Infinity);
  }
  // A service may send less of the end than was requested; it says where that begins.
  return (last === size - 1 || size === Infinity) && last - first < Number(to);
}

async function* ofLength(body: Response['body'], length: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > length) break;
    yield chunk;
  }
  if (size !== length)
    throw new InvalidResponseError('the part has not the length that its range says');
}
