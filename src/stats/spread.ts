import type { Samples } from './samples.ts';
import type { Spread } from './stats-resource.ts';

export const spreadOf = (samples: Samples): Spread => ({
  median: samples.quantile(0.5),
  p90: samples.quantile(0.9),
});

/** Null where nothing was counted. */
export const shareOf = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((part / whole) * 10_000) / 10_000 : null;
