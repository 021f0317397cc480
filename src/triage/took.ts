import { duration, instant } from '../render/time.ts';

/** A span of milliseconds in one word: `6m56s`. */
export const took = (ms: number): string => duration(ms).replaceAll(' ', '');

/** `6m56s`: how long something ran, or has run by `now` (milliseconds since the epoch); empty before its start. */
export function spanOf({ started_at: started, finished_at: finished }: Times, now: number): string {
  const from = instant(started ?? '');
  return from === undefined ? '' : took((instant(finished ?? '') ?? now) - from);
}

interface Times {
  readonly started_at?: string | null | undefined;
  readonly finished_at?: string | null | undefined;
}
