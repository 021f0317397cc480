import { ApiError } from './api-error.ts';

/** Bytes: room for an annotation of 1 MiB whose characters are all escaped. */
const maxBytes = 8 * 1024 * 1024;

/** The body of a request as text. Throws `ApiError` 413 as soon as it is too large. */
export async function readText({ headers, body }: Request): Promise<string> {
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const tooLarge = (): ApiError => new ApiError(413, 'The request body is too large');
