import { expect, test } from 'vitest';
import { labelOf, newestExecution } from './find-job.ts';
import type { Exchange } from '../../test/support/server.ts';
import { surroundings } from '../../test/support/references.ts';

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

const ref = { org: 'acme', pipeline: 'web', number: 7, job: 'a' };
const job = (id: string, next: string | null = null) => ({ id, retried_in_job_id: next });
const whole: Exchange = {
  path: '/v2/organizations/acme/pipelines/web/builds/7?include_retried_jobs=true',
  answer: { json: { jobs: [job('a', 'b'), job('b', 'c'), job('c')] } },
};

test.each([
  ['never retried', [job('a')], [], 'a'],
  ['all jobs known', [job('a', 'b'), job('b', 'c'), job('c')], [], 'c'],
  ['the next one hidden', [job('a', 'b'), job('c')], [whole], 'c'],
  ['the end of the chain hidden', [job('a', 'b'), job('b', 'x')], [], 'x'],
  ['a circle', [job('a', 'b'), job('b', 'a')], [], 'b'],
])('finds the latest attempt: %s', async (_, jobs, exchanges, newest) => {
  const context = await surroundings({ exchanges });
  const [first = job('a')] = jobs;
  const found = await newestExecution({ ref, build: { jobs }, job: first }, context);
  expect(found).toEqual({ ...ref, job: newest });
  expect(context.notes.length).toBe(newest === 'a' ? 0 : 1);
});
