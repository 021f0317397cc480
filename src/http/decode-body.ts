import type { Response } from './transport.ts';
import { InvalidResponseError } from './invalid-response-error.ts';

/** The encodings to accept; none for a range, since a part cannot be unpacked. */
export const acceptEncoding = (range: string | undefined): string =>
  range === undefined ? 'gzip, br' : 'identity';

/**
 * The same response with its body unpacked; the headers stay as they came. Reading the body throws
 * `InvalidResponseError` for an encoding that was not accepted, for several, and for broken data.
 */
export function decodeBody(response: Response): Response {
  const encoding = encodingOf(response.headers);
  if (encoding === '') return response;
  const known = encoding.replace(/^x-gzip$/, 'gzip');
  if (known !== 'gzip' && known !== 'br') {
    return { ...response, body: refused(response.body, `compressed as "${encoding}"`) };
  }
  if (response.status === 206) {
    return { ...response, body: refused(response.body, `a part (206) of something compressed`) };
  }
  return { ...response, body: unpacked(response.body, known) };
}

/** In lower case; `identity` changes nothing. */
const encodingOf = (headers: Response['headers']): string =>
  (headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
    .join(', ');

/** A response without a body, as to HEAD, has nothing that could not be read. */
async function* refused(body: Response['body'], what: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    if (chunk.length > 0)
      throw new InvalidResponseError(`the answer is ${what}, which cannot be read`);
    yield chunk;
  }
}

/** Node's zlib is loaded for those that need it. */
async function* unpacked(body: Response['body'], encoding: 'gzip' | 'br') {
  const { unpack } = await import('./unpack.ts');
  yield* unpack(body, encoding);
}
