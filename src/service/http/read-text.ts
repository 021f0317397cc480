import type { Context } from 'hono';
import { ApiError } from './api-error.ts';

/** The body of a request as text. Throws `ApiError` 413 where it is too large. */
export async function readText({ req }: Context): Promise<string> {
  const length = req.header('content-length') ?? '';
  const saysIt = req.header('transfer-encoding') === undefined && /^\d{1,9}$/.test(length);
  // Node reads no more than was said; to count what comes takes twice the time of a small request.
  if (saysIt && Number(length) <= maxSize) return Buffer.from(await req.arrayBuffer()).toString();
  return (await readCounted(req.raw.body)).toString();
}

/** Bytes: room for an annotation of 1 MiB whose characters are all escaped. */
const maxSize = 8 * 1024 * 1024;

/** Bytes that are read of a body that is too large: a client that is cut off does not hear why. */
const maxRead = 8 * maxSize;

async function readCounted(body: ReadableStream<Uint8Array> | null): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body?.values({ preventCancel: true }) ?? []) {
    length += part.byteLength;
    if (length <= maxSize) parts.push(part);
    else parts.length = 0;
    if (length > maxRead) break;
  }
  if (length > maxSize) throw new ApiError(413, 'The request body is too large');
  return Buffer.concat(parts);
}
