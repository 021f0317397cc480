import type { Method, Reached } from './transport.ts';

/** How a try ended: without an answer, or with one. */
export type Ending =
  | { readonly kind: 'fault'; readonly reached: Reached; readonly isLasting?: boolean }
  /** `asked`: milliseconds that the service asks to wait. */
  | { readonly kind: 'answer'; readonly status: number; readonly asked?: number | undefined };

export interface Try {
  readonly method: Method;
  /** 1 for the first. */
  readonly number: number;
  readonly ending: Ending;
  /** Milliseconds that this call has already waited because it was asked to. */
  readonly waited: number;
  /** The most that it may. */
  readonly maxWait: number;
  /** 0 to 1. */
  readonly random: number;
}

/**
 * Milliseconds to the next try; or no further one, with what was asked where that is too long, and
 * what the call would have waited with it in all.
 */
export type Decision =
  | { readonly again: true; readonly wait: number; readonly asked: number }
  | { readonly again: false; readonly tooLong?: number; readonly inAll?: number };

/** Tries in all (interface, "Network behaviour"). */
const most = 3;

/**
 * Whether and when a request is sent again. 429 means that nothing was done, so it counts for
 * every method; all else is repeated for GET alone, since the first may have taken effect.
 */
export function decide(last: Try): Decision {
  const { ending, number, random } = last;
  if (number >= most || !isPassing(last)) return { again: false };
  const asked = ending.kind === 'answer' ? (ending.asked ?? 0) : 0;
  const inAll = last.waited + asked;
  if (asked > 0 && inAll > last.maxWait) return { again: false, tooLong: asked, inAll };
  // The jitter on top of what was asked keeps many clients from coming back at one moment.
  const wait = asked > 0 ? asked + random * 250 : 400 * 3 ** (number - 1) * (0.5 + random);
  return { again: true, wait: Math.round(wait), asked };
}

function isPassing({ method, ending }: Try): boolean {
  if (ending.kind === 'answer' && ending.status === 429) return true;
  if (method !== 'GET') return false;
  if (ending.kind === 'fault') return ending.isLasting !== true;
  return [502, 503, 504].includes(ending.status);
}
