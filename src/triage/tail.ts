import { contentRange } from '../http/headers.ts';

export interface Tail {
  readonly bytes: Uint8Array;
  /** Whether `bytes` is only the end of the log */
  readonly isCut: boolean;
}

/** Reads the response to a suffix range: the bytes (206), nothing (416), or the whole log (200). */
export async function readTail(
  response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: AsyncIterable<Uint8Array>;
  },
  max: number,
): Promise<Tail> {
  const { status, headers, body } = response;
  const { bytes, isCut } = await lastBytes(body, max);
  if (status === 416) return { bytes: new Uint8Array(), isCut: false };
  if (status !== 206) return { bytes, isCut };
  const first = contentRange(headers)?.first;
  const startsLater = first === undefined ? bytes.length >= max : first > 0;
  return { bytes, isCut: isCut || startsLater };
}

/** Keeps at most the last `max` bytes and one more chunk in memory. */
async function lastBytes(body: AsyncIterable<Uint8Array>, max: number): Promise<Tail> {
  let ring: Buffer = Buffer.alloc(0);
  let read = 0;
  for await (const chunk of body) {
    ring = withRoom(ring, Math.min(max, read + chunk.length), max);
    const left = Math.max(0, chunk.length - ring.length);
    const at = ring.length === 0 ? 0 : (read + left) % ring.length;
    const parted = Math.min(chunk.length, left + ring.length - at);
    ring.set(chunk.subarray(left, parted), at);
    ring.set(chunk.subarray(parted), 0);
    read += chunk.length;
  }
  const first = read > ring.length && ring.length > 0 ? read % ring.length : 0;
  const bytes = Buffer.concat([ring.subarray(first), ring.subarray(0, first)]);
  return { bytes: bytes.subarray(0, read), isCut: read > max };
}

function withRoom(ring: Buffer, least: number, max: number): Buffer {
  if (ring.length >= least) return ring;
  const larger = Buffer.alloc(Math.min(max, Math.max(least, 2 * ring.length, 64 * 1024)));
  larger.set(ring);
  return larger;
}

/** Drops the first line if a range started in the middle of it, or in a character or a sequence. */
export function withoutTornLine(bytes: Uint8Array): Uint8Array {
  const newline = bytes.indexOf(0x0a);
  return newline < 0 || newline === bytes.length - 1 ? bytes : bytes.subarray(newline + 1);
}
