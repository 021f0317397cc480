import { expect, test } from 'vitest';
import { stepOfJob } from './step-records.ts';

test.each([
  [{ name: 'Lint', step_key: 'lint' }, 'lint', 'Lint'],
  [{ name: 'Lint', step_key: null }, null, 'Lint'],
  // As the API has a step without a key.
  [{ name: 'Lint', step_key: '' }, null, 'Lint'],
  [{ command: 'make', step_key: '' }, null, 'make'],
  [{ name: 'Test 1/4', parallel_group_index: 0, parallel_group_total: 4 }, null, 'Test'],
])('the job %j is of the step %j, %j', (job, key, name) => {
  expect(stepOfJob(job)).toMatchObject({ key, name });
});
