import { contentRange } from '../http/content-range.ts';

/** The end of a log. */
export interface Tail {
  readonly bytes: Uint8Array;
  /** The log begins before it. */
  readonly isCut: boolean;
}

interface TailResult {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * The last `max` bytes of a log that was requested by a suffix range: the service sends those
 * (206), says that there are none (416), or sends everything (200), of which the end alone is kept.
 */
export async function readTail({ status, headers, body }: TailResult, max: number): Promise<Tail> {
  const { bytes, isCut } = await lastBytes(body, max);
  if (status === 416) return { bytes: new Uint8Array(), isCut: false };
  if (status !== 206) return { bytes, isCut };
  const first = contentRange(headers)?.first;
  const startsLater = first === undefined ? bytes.length >= max : first > 0;
  return { bytes, isCut: isCut || startsLater };
}

/** Buffers no more than `max` bytes and one chunk. */
async function lastBytes(body: AsyncIterable<Uint8Array>, max: number): Promise<Tail> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let read = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    read += chunk.length;
    while (size - (chunks[0]?.length ?? 0) >= max) size -= chunks.shift()?.length ?? 0;
  }
  const all = Buffer.concat(chunks);
  return { bytes: all.subarray(Math.max(0, all.length - max)), isCut: read > max };
}
