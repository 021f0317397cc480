/**
 * `npm test` runs a sample of large tables and skips slow files, so that it stays fast.
 * `CICTL_TEST_FULL=1`, `npm run fuzz` and `.ci/run --full` run everything.
 */
export const isFull = process.env['CICTL_TEST_FULL'] === '1';
