import { TransportError, type Response, InvalidResponseError } from './transport.ts';
import { contentRange } from './headers.ts';
import { monotonicNow } from '../common/clock.ts';

const maxBytes = 256 * 1024 * 1024;

/** Throws `InvalidResponseError` if the body is too large or takes more than ten times the timeout. */
export async function readBodyText(
  response: Response,
  now: () => number = monotonicNow,
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

export async function* withinTime(
  { body, timeout = Infinity }: Pick<Response, 'body' | 'timeout'>,
  now: () => number = monotonicNow,
): AsyncGenerator<Uint8Array> {
  const limit = 10 * timeout;
  const end = now() + limit;
  for await (const chunk of body) {
    if (now() > end) {
      throw new InvalidResponseError(
        `the response was still incomplete after ${limit / 1000} s (ten times --request-timeout)`,
      );
    }
    yield chunk;
  }
}

/** Limits for the body of an error response; otherwise a server could send small chunks forever. */
export const explanationBytes = 1024 * 1024;

const longestExplanation = 10_000;

export async function readBodyStart(
  response: Response,
  now: () => number = monotonicNow,
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

/** The value of `accept-encoding`. A partial compressed body could not be decompressed. */
export const acceptEncoding = (range: string | undefined): string =>
  range === undefined ? 'gzip, br' : 'identity';

/** Reading the body throws `InvalidResponseError` if it is corrupt or its encoding unsupported. */
export function decodeBody(response: Response): Response {
  const encoding = contentEncoding(response.headers);
  if (encoding === '') return response;
  const known = encoding.replace(/^x-gzip$/, 'gzip');
  if (known !== 'gzip' && known !== 'br') {
    return {
      ...response,
      body: refused(response.body, `the response has the unsupported encoding "${encoding}"`),
    };
  }
  if (response.status === 206) {
    const body = refused(response.body, 'cannot decompress a partial response (206)');
    return { ...response, body };
  }
  return { ...response, body: unpacked(response.body, known) };
}

const contentEncoding = (headers: Response['headers']): string =>
  (headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
    .join(', ');

/** Throws unless the body is empty. An empty response (to HEAD, say) may name any encoding. */
async function* refused(body: Response['body'], what: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    if (chunk.length > 0) throw new InvalidResponseError(what);
    yield chunk;
  }
}

async function* unpacked(body: Response['body'], encoding: 'gzip' | 'br') {
  const { unpack } = await import('./unpack.ts');
  yield* unpack(body, encoding);
}

/** Throws `InvalidResponseError` if a partial response (206) is not exactly the range `asked`. */
export function checkRange(response: Response, asked: string | undefined): Response {
  if (response.status !== 206) return response;
  if (asked === undefined) throw new InvalidResponseError('unexpected partial response (206)');
  const wanted = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(asked);
  // The caller checks responses with multiple ranges or other units.
  if (wanted === null) return response;
  const rangeHeader = response.headers['content-range'] ?? '';
  const { first = NaN, last = NaN, size = Infinity } = contentRange(response.headers) ?? {};
  if (!matchesRange({ first, last, size }, wanted[1] ?? '', wanted[2] ?? '')) {
    const what = rangeHeader === '' ? 'without Content-Range' : `"${rangeHeader.slice(0, 60)}"`;
    throw new InvalidResponseError(
      `the partial response (206, ${what}) does not match the requested "${asked}"`,
    );
  }
  return { ...response, body: ofLength(response.body, last - first + 1) };
}

function matchesRange(
  { first, last, size }: Record<'first' | 'last' | 'size', number>,
  from: string,
  to: string,
): boolean {
  if (!(first <= last && last < size)) return false;
  if (from !== '') {
    const end = Math.min(to === '' ? Infinity : Number(to), size - 1);
    return first === Number(from) && (last === end || end === Infinity);
  }
  // If a suffix range was requested, the service may send fewer bytes.
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
    throw new InvalidResponseError('the length of the partial response does not match its range');
}
