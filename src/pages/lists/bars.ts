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

/**
 * The oldest at the left, the newest at the right edge; the longest that is over is the tallest, and what
 * runs is no taller. `builds`: the newest first.
 */
export function barsOf(builds: readonly Build[], now: number): Bar[] {
  const shown = builds
    .slice(0, barCount)
    .map((build) => ({ build, seconds: durationOf(build, now) }))
    .reverse();
  const over = shown.filter(({ build }) => typeof build.finished_at === 'string');
  const longest = Math.max(...(over.length > 0 ? over : shown).map(({ seconds }) => seconds ?? 0));
  const first = barCount - shown.length;
  return shown.map(({ build, seconds }, index) => ({
    ...{ build, seconds },
    x: (first + index) * barStep,
    height: heightOf(seconds ?? 0, longest),
  }));
}

/** Of whole pixels; a short one can still be seen and met with the pointer. */
const heightOf = (seconds: number, longest: number): number =>
  Math.min(tallest, Math.max(lowest, Math.round((seconds / (longest || 1)) * tallest)));
