import { expect, test } from 'vitest';
import { labelOf } from './find-job.ts';

const part = { parallel_group_index: 0, parallel_group_total: 2 };

test.each([
  [{ name: 'Unit tests', state: 'failed', ...part }, 'Unit tests 1/2 (failed)'],
  [{ name: 'Unit tests 1/2', state: 'failed', ...part }, 'Unit tests 1/2 (failed)'],
  [{ name: 'Lint', state: 'timed_out' }, 'Lint (timed out)'],
  [{ name: 'Lint', state: 'failed', soft_failed: true }, 'Lint (failed (soft))'],
  [{ name: null, label: null, step_key: null, command: 'make test\nmake it' }, 'make test'],
  [{ type: 'waiter' }, 'waiter'],
])('%j among several is %s', (job, label) => {
  expect(labelOf(job)).toBe(label);
});
