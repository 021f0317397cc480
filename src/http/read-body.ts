import { TransportError, type Response } from './transport.ts';
import { InvalidResponseError } from './invalid-response-error.ts';

/** The largest body that is read into memory. */
const maxBytes = 256 * 1024 * 1024;

/**
 * Returns the whole body as UTF-8 text. Throws `InvalidResponseError` if it is larger than 256 MiB or
 * still arriving after ten times the timeout of the request.
 */
export async function readBodyText(
  response: Response,
  now: () => number = () => performance.now(),
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of withinTime(response, now)) {
    size += chunk.length;
    if (size > maxBytes) throw new InvalidResponseError('the response is larger than 256 MiB');
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The body. Throws `InvalidResponseError` if it is still arriving after ten times the timeout of the request. */
export async function* withinTime(
  { body, timeout = Infinity }: Pick<Response, 'body' | 'timeout'>,
  now: () => number = () => performance.now(),
): AsyncGenerator<Uint8Array> {
  const limit = 10 * timeout;
  const end = now() + limit;
  for await (const chunk of body) {
    if (now() > end) {
      throw new InvalidResponseError(
        `the response was not complete after ${limit / 1000} s, ten times --request-timeout`,
      );
    }
    yield chunk;
  }
}

/** Bytes of a body that are read for what it says of a failure. */
export const explanationBytes = 1024 * 1024;

/** Milliseconds that an explanation may take: its pieces may be small and without end. */
const longestExplanation = 10_000;

/** The beginning of a body that explains a failure: whatever can be had of 1 MiB in 10 s. */
export async function readBodyStart(
  response: Response,
  now: () => number = () => performance.now(),
): Promise<string> {
  const chunks: Uint8Array[] = [];
  const end = now() + longestExplanation;
  let size = 0;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= explanationBytes || now() > end) break;
    }
  } catch (error) {
    if (!(error instanceof TransportError || error instanceof InvalidResponseError)) throw error;
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, explanationBytes));
}
