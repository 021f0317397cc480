/** The bars that show how the last builds went: how long each took, beside what became of it. */
import type { Build } from '../../api/resources/build.ts';
import { durationOf } from '../../api/resources/duration.ts';

export interface Bar {
  readonly build: Build;
  /** Seconds; null before the start. */
  readonly seconds: number | null;
  /** From the left, and from the bottom up. */
  readonly x: number;
  readonly height: number;
}

/** As many as there is room for. */
export const barCount = 20;
/** Of one bar with its gap, and of the tallest; the picture is as tall. */
export const barStep = 9;
export const barWidth = 7;
export const tallest = 32;
const lowest = 3;

/** The oldest at the left, the newest at the right edge. `builds`: the newest first. */
export function barsOf(builds: readonly Build[], now: number): Bar[] {
  const shown = builds
    .slice(0, barCount)
    .map((build) => ({ build, seconds: durationOf(build, now) }))
    .reverse();
  const full = fullHeight(shown);
  const first = barCount - shown.length;
  return shown.map(({ build, seconds }, index) => ({
    ...{ build, seconds },
    x: (first + index) * barStep,
    height: heightOf(seconds ?? 0, full),
  }));
}

/**
 * Seconds of the tallest bar: of the longest build that is over, but no more than four times what is usual.
 * What hung once, or runs on and on, leaves the others their height.
 */
function fullHeight(shown: readonly Pick<Bar, 'build' | 'seconds'>[]): number {
  const over = shown.filter(({ build }) => typeof build.finished_at === 'string');
  const seconds = (over.length > 0 ? over : shown)
    .map((one) => one.seconds ?? 0)
    .sort((a, b) => a - b);
  const usual = seconds[Math.floor(seconds.length / 2)] ?? 0;
  return Math.min(seconds.at(-1) ?? 0, 4 * usual) || 1;
}

/** Of whole pixels; a short one can still be seen and met with the pointer. */
const heightOf = (seconds: number, full: number): number =>
  Math.min(tallest, Math.max(lowest, Math.round((seconds / full) * tallest)));
