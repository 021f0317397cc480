import { InvalidResponseError } from './read-body.ts';
import type { Response } from './transport.ts';

/** What is asked for; a part of a log is wanted as it is, since one cannot unpack a part. */
export const acceptEncoding = (range: string | undefined): string =>
  range === undefined ? 'gzip, br' : 'identity';

/**
 * The same answer with its body unpacked; the headers stay as they came. Reading the body throws
 * `AnswerError` for an encoding that was not asked for, for several, and where it is broken.
 */
export function decoded(response: Response): Response {
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

/** An answer without a body, as to HEAD, has nothing that could not be read. */
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
