import { expect, test } from 'vitest';
import { isFailedJob } from './is-failed-job.ts';

test.each([
  [{ state: 'failed' }, true],
  [{ state: 'timed_out' }, true],
  [{ state: 'failed', soft_failed: true }, false],
  [{ state: 'canceled' }, false],
  [{ state: 'running' }, false],
])('%j has failed: %s', (job, expected) => {
  expect(isFailedJob(job)).toBe(expected);
});
