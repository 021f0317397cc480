import type { Method, Reached } from './transport.ts';

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
