import { TransportError, type Response } from './transport.ts';
import { InvalidResponseError } from './invalid-response-error.ts';

/** The largest body that is read into memory. */
const maxBytes = 256 * 1024 * 1024;

/** The whole body as UTF-8 text. Throws `InvalidResponseError` over 256 MiB. */
export async function readBodyText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > maxBytes) throw new InvalidResponseError('the answer is larger than 256 MiB');
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
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
