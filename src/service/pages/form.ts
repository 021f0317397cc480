import { ApiError } from '../http/api-error.ts';
import type { Call } from '../http/route.ts';

/** Bytes: room for a message and its environment. */
const maxSize = 1024 * 1024;

/** What a form sent. Throws `ApiError` 413 where it is too large, 415 where it is no form. */
export async function readForm(call: Call): Promise<URLSearchParams> {
  const type = call.header('content-type');
  if (type !== undefined && !/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new ApiError(415, 'Only forms can be sent here');
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of call.content()) {
    size += part.byteLength;
    if (size > maxSize) throw new ApiError(413, 'The form is too large');
    parts.push(part);
  }
  return new URLSearchParams(Buffer.concat(parts).toString());
}
