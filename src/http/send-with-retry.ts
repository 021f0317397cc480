import { readBodyStart } from './body.ts';
import { followRedirects, type FinalResponse, type RedirectOptions } from './redirects.ts';
import { rateLimitWait } from './rate-limit.ts';
import {
  TransportError,
  type Request,
  type Response,
  type Method,
  type Reached,
} from './transport.ts';

interface SendOptions extends RedirectOptions {
  readonly random: () => number;
  /** Milliseconds that one call may wait in all because it is asked to. */
  readonly maxWait: number;
  /** A wait of more than a second. */
  notice(line: string): void;
}

/**
 * Sends a request, again where that is safe, and passes the response, of any status, to `use`. What
 * `use` reads belongs to the attempt: a GET whose body breaks off is repeated. Throws
 * `TransportError`, `InvalidResponseError`, or what `use` throws.
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
    reportWait(result, options);
    await options.clock.sleep(result.wait, options.signal);
  }
}

type Pause = { readonly wait: number; readonly retryAfter: number; readonly reason: string };

async function attempt<T>(
  request: Request,
  options: SendOptions,
  decideNext: (result: AttemptResult) => RetryDecision,
  use: (response: FinalResponse) => Promise<T>,
): Promise<{ value: T } | Pause> {
  try {
    const response = await withWholeText(await followRedirects(request, options));
    const retryAfter = isBusy(response) ? rateLimitWait(response, options.clock.now()) : undefined;
    const { status } = response;
    const decision = decideNext({ kind: 'response', status, retryAfter });
    if (!decision.again) {
      const limits = {
        ...tooLong(decision),
        ...(retryAfter !== undefined && { retryAfter }),
      };
      return { value: await use({ ...response, ...limits }) };
    }
    await readBodyStart(response);
    return {
      ...decision,
      reason: status === 429 ? 'its rate limit is used up' : `it answers ${status}`,
    };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    options.debug(`${request.method} ${request.url.href}: ${error.message}`);
    const decision = decideNext({
      kind: 'error',
      reached: error.reached,
      isLasting: error.isLasting,
    });
    if (!decision.again) throw error;
    return { ...decision, reason: error.message };
  }
}

const isBusy = ({ status }: Response): boolean => status === 429 || status === 503;

/** The text of a response that says "later" is read at once: it may say how long. */
async function withWholeText(response: FinalResponse): Promise<FinalResponse & { text?: string }> {
  if (!isBusy(response)) return response;
  const text = await readBodyStart(response);
  return { ...response, text, body: once(text) };
}

// eslint-disable-next-line @typescript-eslint/require-await -- a body is asynchronous by contract
async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const tooLong = ({ tooLong, totalWait }: { tooLong?: number; totalWait?: number }) => ({
  ...(tooLong !== undefined && { tooLong }),
  ...(totalWait !== undefined && { totalWait }),
});

function reportWait({ wait, reason }: Pause, options: SendOptions): void {
  const line = `waiting ${(wait / 1000).toFixed(1)} s for the service: ${reason}`;
  if (wait > 1000) options.notice(line);
  else options.debug(line);
}

/** How an attempt ended: with a network error, or with a response. */
export type AttemptResult =
  | { readonly kind: 'error'; readonly reached: Reached; readonly isLasting?: boolean }
  /** `retryAfter`: milliseconds that the service asks to wait. */
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly retryAfter?: number | undefined;
    };

export interface Attempt {
  readonly method: Method;
  /** 1 for the first. */
  readonly number: number;
  readonly result: AttemptResult;
  /** Milliseconds that this call has already waited because it was asked to. */
  readonly waited: number;
  /** The longest that it may wait in all. */
  readonly maxWait: number;
  /** 0 to 1. */
  readonly random: number;
}

/**
 * Milliseconds to the next attempt; or no further one, with the requested wait where that is too
 * long, and what the call would have waited with it in all.
 */
export type RetryDecision =
  | { readonly again: true; readonly wait: number; readonly retryAfter: number }
  | { readonly again: false; readonly tooLong?: number; readonly totalWait?: number };

/** Attempts in all (interface, "Network behaviour"). */
const maxAttempts = 3;

/**
 * Whether and when a request is sent again. 429 means that nothing was done, so it counts for
 * every method; all else is retried only for GET, since the first may have taken effect.
 */
export function decideRetry(last: Attempt): RetryDecision {
  const { result, number, random } = last;
  if (number >= maxAttempts || !isPassing(last)) return { again: false };
  const retryAfter = result.kind === 'response' ? (result.retryAfter ?? 0) : 0;
  const totalWait = last.waited + retryAfter;
  if (retryAfter > 0 && totalWait > last.maxWait)
    return { again: false, tooLong: retryAfter, totalWait };
  // The jitter on top of the requested wait keeps many clients from retrying at one moment.
  const wait =
    retryAfter > 0 ? retryAfter + random * 250 : 400 * 3 ** (number - 1) * (0.5 + random);
  return { again: true, wait: Math.round(wait), retryAfter };
}

function isPassing({ method, result }: Attempt): boolean {
  if (result.kind === 'response' && result.status === 429) return true;
  if (method !== 'GET') return false;
  if (result.kind === 'error') return result.isLasting !== true;
  return [502, 503, 504].includes(result.status);
}
