/** Samples of large tables of cases, see `is-full.ts`. */
import { describe, test } from 'vitest';
import { isFull } from './is-full.ts';

export { isFull };

/** One in `share` of the cases, the first included; all of them in a full run. */
export const sample = <T>(cases: readonly T[], share = 10): T[] =>
  cases.filter((_, index) => isFull || index % share === 0);

/** A tenth of a number of runs or sizes; all of it in a full run. */
export const some = (count: number): number => (isFull ? count : Math.ceil(count / 10));

/** `test.each` on every fifth case. */
export const sampled = {
  each: ((cases: readonly unknown[]) => test.each(sample(cases, 5))) as typeof test.each,
};

/** `describe.each` on every fifth case. */
export const sampledGroups = {
  each: ((cases: readonly unknown[]) => describe.each(sample(cases, 5))) as typeof describe.each,
};

/** A test that takes seconds: only in a full run. */
export const longTest = test.runIf(isFull) as typeof test;
