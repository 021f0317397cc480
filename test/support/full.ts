/**
 * `npm test` runs a sample of large tables and leaves slow journeys out, so that it is run often.
 * `CICTL_TEST_FULL=1`, `npm run fuzz` and `.ci/run --full` run everything.
 */
export const isFull = process.env['CICTL_TEST_FULL'] === '1';

/** One in `share` of the cases, the first included; all of them in a full run. */
export const sample = <T>(cases: readonly T[], share = 10): T[] =>
  cases.filter((_, index) => isFull || index % share === 0);

/** A tenth of a number of runs or sizes; all of it in a full run. */
export const some = (count: number): number => (isFull ? count : Math.ceil(count / 10));
