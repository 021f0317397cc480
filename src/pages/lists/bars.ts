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
  const height = heightsOf(shown);
  const first = barCount - shown.length;
  return shown.map(({ build, seconds }, index) => ({
    ...{ build, seconds },
    x: (first + index) * barStep,
    height: height(seconds ?? 0),
  }));
}

/**
 * Heights are in proportion to durations, the longest build that is over being the tallest. What hung once, or
 * runs on and on, leaves the others their height: above four times what is usual the longer is still the
 * taller, in a fourth of the room.
 */
function heightsOf(shown: readonly Pick<Bar, 'build' | 'seconds'>[]): (seconds: number) => number {
  const over = shown.filter(({ build }) => typeof build.finished_at === 'string');
  const known = (over.length > 0 ? over : shown)
    .flatMap(({ seconds }) => seconds ?? [])
    .sort((one, other) => one - other);
  const longest = known.at(-1) || 1;
  const usual = 4 * (known[Math.floor(known.length / 2)] ?? 0);
  if (usual === 0 || longest <= usual)
    return (seconds) => wholePixels((seconds / longest) * tallest);
  const room = tallest * 0.75;
  const steps = Math.log(longest / usual);
  return (seconds) =>
    wholePixels(
      seconds <= usual
        ? (seconds / usual) * room
        : room + (Math.log(seconds / usual) / steps) * (tallest - room),
    );
}

/** A short one can still be seen and met with the pointer. */
const wholePixels = (height: number): number =>
  Math.min(tallest, Math.max(lowest, Math.round(height)));
