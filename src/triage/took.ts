import { duration, instant } from '../render/time.ts';

/** A span of milliseconds in one word: `6m56s`. */
export const took = (ms: number): string => duration(ms).replaceAll(' ', '');

/** How long something ran, or runs by `now`, in milliseconds; nothing of what has not begun. */
export function spanOf({ started_at: started, finished_at: finished }: Times, now: number): string {
  const from = instant(started ?? '');
  return from === undefined ? '' : took((instant(finished ?? '') ?? now) - from);
}

interface Times {
  readonly started_at?: string | null | undefined;
  readonly finished_at?: string | null | undefined;
}
