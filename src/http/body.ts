import { TransportError, type Response, InvalidResponseError } from './transport.ts';
import { contentRange } from './headers.ts';

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
