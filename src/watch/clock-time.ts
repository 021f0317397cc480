import { instant } from '../render/time.ts';

/** When something began and ended, as the service says it. */
export interface Times {
  readonly started_at?: string | null | undefined;
  readonly finished_at?: string | null | undefined;
}

/** Milliseconds from its start to its end, or to now; undefined for what has not started. */
export function elapsed({ started_at, finished_at }: Times, now: number): number | undefined {
  const start = instant(started_at ?? '');
  return start === undefined ? undefined : (instant(finished_at ?? '') ?? now) - start;
}

/** As a stopwatch shows it: `0:17`, `12:05`, `1:02:03`. */
export function clockTime(ms: number): string {
  const all = Math.floor(Math.max(0, ms) / 1000);
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor(all / 60) % 60];
  const seconds = twoDigits(all % 60);
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${twoDigits(minutes)}:${seconds}`;
}

const twoDigits = (count: number): string => String(count).padStart(2, '0');
