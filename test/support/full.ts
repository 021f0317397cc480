/** Samples of large tables of test cases; see `is-full.ts`. */
import { describe, test } from 'vitest';
import { isFull } from './is-full.ts';

export { isFull };

/** One of every `share` cases, including the first; all of them in a full run. */
export const sample = <T>(cases: readonly T[], share = 10): T[] =>
  cases.filter((_, index) => isFull || index % share === 0);

/** A tenth of a count; all of it in a full run. */
export const some = (count: number): number => (isFull ? count : Math.ceil(count / 10));

export const sampled = {
  each: ((cases: readonly unknown[]) => test.each(sample(cases, 5))) as typeof test.each,
};

export const sampledGroups = {
  each: ((cases: readonly unknown[]) => describe.each(sample(cases, 5))) as typeof describe.each,
};

/** A test that takes seconds, and therefore only runs in a full run. */
export const longTest = test.runIf(isFull) as typeof test;
