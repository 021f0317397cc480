import { expect, test } from 'vitest';
import type { Job } from '../api/resources/job.ts';
import { sortJobs } from './sort-jobs.ts';

const names = (jobs: readonly { readonly job: Job }[]) => jobs.map(({ job }) => job.id);

/** `failed`, `followed`, `passed`… of one job in that state, alone in its build. */
const classOfAlone = (job: Job) => {
  const { counts } = sortJobs({ state: 'failed', jobs: [job] });
  return Object.entries(counts).flatMap(([name, count]) =>
    name !== 'jobs' && count > 0 ? [name] : [],
  );
};

test.each([
  ['passed', 'passed'],
  ['unblocked', 'passed'],
  ['failed', 'failed'],
  ['timed_out', 'failed'],
  ['expired', 'failed'],
  ['canceled', 'failed'],
  ['broken', 'followed'],
  ['waiting_failed', 'followed'],
  ['blocked_failed', 'followed'],
  ['unblocked_failed', 'followed'],
  ['blocked', 'blocked'],
  ['skipped', 'skipped'],
  ['running', 'unfinished'],
  ['levitating', 'unfinished'],
  ['constructor', 'unfinished'],
  [null, 'unfinished'],
])('%s is %s', (state, expected) => {
  expect(classOfAlone({ state })).toEqual([expected]);
});

test.each([
  ['failed', 'soft_failed'],
  ['timed_out', 'soft_failed'],
  ['passed', 'passed'],
])('%s, forgiven, is %s', (state, expected) => {
  expect(classOfAlone({ state, soft_failed: true })).toEqual([expected]);
});

test('puts soft failures after what failed the build, and leaves waiters out of all counts', () => {
  const jobs: Job[] = [
    { id: 'soft', state: 'failed', soft_failed: true },
    { id: 'b', state: 'failed' },
    { id: 'wait', type: 'waiter', state: 'waiting_failed' },
    { id: 'block', type: 'manual', state: 'blocked_failed' },
    { id: 'a', state: 'timed_out' },
  ];
  const { failures, followed, counts } = sortJobs({ state: 'failed', jobs });
  expect(names(failures)).toEqual(['b', 'a', 'soft']);
  expect(names(followed)).toEqual(['block']);
  expect(counts).toMatchObject({ jobs: 4, failed: 2, soft_failed: 1, followed: 1 });
});

test.each([
  ['canceled with its build', 'canceled', []],
  ['canceled after another failed', 'failed', [{ id: 'f', state: 'failed' }]],
])('a job %s merely followed', (_, state, others: Job[]) => {
  const sorted = sortJobs({ state, jobs: [...others, { id: 'c', state: 'canceled' }] });
  expect(names(sorted.followed)).toEqual(['c']);
});

test.each([
  [
    'the old end names the new one',
    [
      { id: '1', state: 'failed', retried: true, retried_in_job_id: '2' },
      { id: '2', state: 'failed', retried: true, retried_in_job_id: '3' },
      { id: '3', state: 'failed' },
    ],
  ],
  [
    'the new end names the old one',
    [
      { id: '3', state: 'failed', retry_source: { job_id: '2' } },
      { id: '2', state: 'failed', retried: true, retry_source: { job_id: '1' } },
      { id: '1', state: 'failed', retried: true },
    ],
  ],
])('retries: %s', (_, jobs: Job[]) => {
  const { failures, counts } = sortJobs({ jobs });
  expect(failures.map(({ job, earlier }) => [job.id, earlier.map(({ id }) => id)])).toEqual([
    ['3', ['1', '2']],
  ]);
  expect(counts.jobs).toBe(1);
});

test('what passed on a retry is listed as such', () => {
  const jobs: Job[] = [
    { id: '1', state: 'failed', retried: true, retried_in_job_id: '2' },
    { id: '2', state: 'passed' },
  ];
  const { recovered, failures } = sortJobs({ jobs });
  expect([names(recovered), names(failures)]).toEqual([['2'], []]);
});

test.each<[string, Job[], string[]]>([
  ['whose successor is missing', [{ id: '1', state: 'failed', retried_in_job_id: '9' }], ['1']],
  ['in itself', [{ id: '1', state: 'failed', retried_in_job_id: '1' }], ['1']],
  [
    'in a circle',
    [
      { id: '1', state: 'failed', retried_in_job_id: '2' },
      { id: '2', state: 'failed', retried_in_job_id: '1' },
    ],
    ['1', '2'],
  ],
])('no job is lost that was retried %s', (_, jobs, ids) => {
  expect(names(sortJobs({ jobs }).failures)).toEqual(ids);
});

test('no jobs at all', () => {
  expect(sortJobs({ jobs: null }).counts.jobs).toBe(0);
});
