import { readBodyStart, decodeBody, checkRange } from './body.ts';
import { rateLimitWait } from './headers.ts';
import {
  TransportError,
  type Request,
  type Response,
  type Method,
  type Transport,
  InvalidResponseError,
} from './transport.ts';
import type { Clock } from '../common/clock.ts';

interface SendOptions extends RedirectOptions {
  readonly random: () => number;
  readonly maxWait: number;
  notice(line: string): void;
}

/**
 * Sends a request, retries it if that is safe, and passes the final response to `use`, whatever its
 * status. Reading the body in `use` is part of the attempt: if the body of a GET is cut off, the
 * GET is retried. Throws `TransportError`, `InvalidResponseError`, or any error that `use` throws.
 */
export async function sendWithRetry<T>(
  request: Request,
  options: SendOptions,
  use: (response: FinalResponse) => Promise<T>,
): Promise<T> {
  let waited = 0;
  for (let number = 1; ; number++) {
    const decideNext = (ending: AttemptResult): RetryDecision =>
      decideRetry({
        ...{ method: request.method, number, result: ending, waited },
        ...{ maxWait: options.maxWait, random: options.random() },
      });
    const result = await attempt(request, options, decideNext, use);
    if ('value' in result) return result.value;
    waited += result.retryAfter;
    const line = `waiting ${(result.wait / 1000).toFixed(1)} s for the service: ${result.reason}`;
    if (result.wait > 1000) options.notice(line);
    else options.debug(line);
    await options.clock.sleep(result.wait, options.signal);
  }
}

async function attempt<T>(
  request: Request,
  options: SendOptions,
  decideNext: (result: AttemptResult) => RetryDecision,
  use: (response: FinalResponse) => Promise<T>,
): Promise<{ value: T } | { wait: number; retryAfter: number; reason: string }> {
  try {
    const response = await withWholeText(await followRedirects(request, options));
    const retryAfter = isBusy(response) ? rateLimitWait(response, options.clock.now()) : undefined;
    const { status } = response;
    const decision = decideNext({ kind: 'response', status, retryAfter });
    if (!('wait' in decision)) {
      const limits = retryAfter === undefined ? decision : { ...decision, retryAfter };
      return { value: await use({ ...response, ...limits }) };
    }
    await readBodyStart(response);
    return {
      ...decision,
      reason: status === 429 ? 'rate limit exceeded' : `it returned ${status}`,
    };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    options.debug(`${request.method} ${request.url.href}: ${error.message}`);
    const decision = decideNext({ kind: 'error', isLasting: error.isLasting });
    if (!('wait' in decision)) throw error;
    return { ...decision, reason: error.message };
  }
}

const isBusy = ({ status }: Response): boolean => status === 429 || status === 503;

/** Reads the body of a response that will be retried, because it may say how long to wait. */
async function withWholeText(response: FinalResponse): Promise<FinalResponse & { text?: string }> {
  if (!isBusy(response)) return response;
  const text = await readBodyStart(response);
  return { ...response, text, body: once(text) };
}

// eslint-disable-next-line @typescript-eslint/require-await -- a body is asynchronous by contract
async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

export type AttemptResult =
  | { readonly kind: 'error'; readonly isLasting?: boolean }
  | { readonly kind: 'response'; readonly status: number; readonly retryAfter: number | undefined };

export interface Attempt {
  readonly method: Method;
  readonly number: number;
  readonly result: AttemptResult;
  readonly waited: number;
  readonly maxWait: number;
  readonly random: number;
}

/** In milliseconds. `tooLong` exceeds `--max-wait`; `totalWait` also includes earlier waits. */
export type RetryDecision =
  | { readonly wait: number; readonly retryAfter: number }
  | { readonly tooLong?: number; readonly totalWait?: number };

/** After a 429 every method is retried, because the service did nothing; otherwise only GET is. */
export function decideRetry(last: Attempt): RetryDecision {
  const { result, number, random } = last;
  if (number >= 3 || !mayPass(last)) return {};
  const retryAfter = result.kind === 'response' ? (result.retryAfter ?? 0) : 0;
  const totalWait = last.waited + retryAfter;
  if (retryAfter > 0 && totalWait > last.maxWait) return { tooLong: retryAfter, totalWait };
  // Adds random time to the requested wait, so that clients do not all retry at the same moment.
  const wait =
    retryAfter > 0 ? retryAfter + random * 250 : 400 * 3 ** (number - 1) * (0.5 + random);
  return { wait: Math.round(wait), retryAfter };
}

function mayPass({ method, result }: Attempt): boolean {
  if (result.kind === 'response' && result.status === 429) return true;
  if (method !== 'GET') return false;
  if (result.kind === 'error') return result.isLasting !== true;
  return [502, 503, 504].includes(result.status);
}

export interface FinalResponse extends Response {
  readonly url: URL;
  /** Requested wait in milliseconds, if it exceeds `--max-wait` */
  readonly tooLong?: number;
  /** `tooLong` plus the time already waited: a `--max-wait` of this length would be enough */
  readonly totalWait?: number;
  /** Requested wait in milliseconds, if the last attempt was rejected as well */
  readonly retryAfter?: number;
}

interface RedirectOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  debug(line: string): void;
}

/** Follows redirects only for GET and within one origin, because the request contains the token. */
export async function followRedirects(
  request: Request,
  options: RedirectOptions,
): Promise<FinalResponse> {
  let { url } = request;
  for (let hops = 0; hops <= 5; hops++) {
    const start = options.clock.now();
    const sent = await options.transport.send({ ...request, url, signal: options.signal });
    const response = decodeBody(sent);
    options.debug(
      `${request.method} ${url.href} -> ${response.status} in ${options.clock.now() - start} ms`,
    );
    const target = request.method === 'GET' ? redirect(response, url) : undefined;
    if (target === undefined) {
      const isHead = request.method === 'HEAD';
      return { ...(isHead ? response : checkRange(response, request.headers['range'])), url };
    }
    await readBodyStart(response);
    if (target.origin !== url.origin) {
      throw new InvalidResponseError(
        `the service redirects to ${target.origin}, where the token must not be sent`,
      );
    }
    url = target;
  }
  throw new InvalidResponseError('the service redirects in a loop');
}

function redirect({ status, headers }: Response, base: URL): URL | undefined {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  if (!URL.canParse(location, base.href))
    throw new InvalidResponseError('the service redirects to an invalid URL');
  const target = new URL(location, base);
  target.username = '';
  target.password = '';
  target.hash = '';
  return target;
}
