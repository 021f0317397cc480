import { expect, test } from 'vitest';
import { failed, sampleReport } from '../../test/support/units/failures.ts';
import type { Job } from '../api/resources/job.ts';
import { sortJobs } from './report.ts';

test('reports everything known about a failure, and null for the rest', () => {
  const { failures, truncated } = sampleReport({
    jobs: [failed('test', { exit_status: -1, signal: 'SIGTERM', signal_reason: 'agent_stop' })],
    logs: [['one', 'two', '']],
  });
  expect(failures).toEqual([
    {
      id: 'id-of-test',
      name: 'test',
      step_key: 'test',
      type: 'script',
      state: 'failed',
      soft_failed: false,
      exit_status: -1,
      signal: 'SIGTERM',
      signal_reason: 'agent_stop',
      started_at: null,
      finished_at: null,
      web_url: null,
      triggered_build: null,
      retries: [],
      section: null,
      lines: ['one', 'two', ''],
      cause: [1, 0],
      last_line: 'two',
      omitted_lines: 0,
      log_command: 'cictl job log acme/web/42#test',
      truncated: false,
      fault: null,
    },
  ]);
  expect(truncated).toBe(false);
});

test('names the build as it was found, and checks blocked before the state', () => {
  const { build } = sampleReport({ build: { state: 'passed', blocked: true } });
  expect(build).toMatchObject({
    organization: 'acme',
    pipeline: 'web',
    number: 42,
    state: 'blocked',
    blocked: true,
  });
});

test('shows an error in its place', () => {
  const { failures, annotations_fault } = sampleReport({
    jobs: [failed('a'), failed('b')],
    logs: ['cannot read the log', ['fine']],
    notes: 'cannot list',
  });
  expect(failures.map(({ fault: error, lines }) => [error, lines])).toEqual([
    ['cannot read the log', []],
    [null, ['fine']],
  ]);
  expect(annotations_fault).toBe('cannot list');
});

test.each([
  [['The last of all', '🚨 Error: The command exited with status 3'], 'The last of all'],
  [['The last of all', '', 'user command error: exit status 3'], 'The last of all'],
  [['The command exited with status 3, they said'], 'The command exited with status 3, they said'],
  [[' ', ''], null],
])('the last meaningful line of %j is %j', (lines, last) => {
  const { failures } = sampleReport({ jobs: [failed('a')], logs: [lines] });
  expect(failures[0]?.last_line).toBe(last);
});

test('limits lines, jobs and the total, and marks every cut', () => {
  const { failures, omitted, truncated } = sampleReport({
    jobs: ['long', 'many', 'third'].map((name) => failed(name)),
    logs: [['x'.repeat(100)], Array.from({ length: 100 }, (_, at) => `line ${at}`)],
    limits: { maxLineBytes: 40, maxJobBytes: 60 },
  });
  const [long, many] = failures;
  expect(long?.lines).toEqual([`${'x'.repeat(25)}… [truncated]`]);
  expect(long).toMatchObject({ truncated: true, omitted_lines: 0 });
  expect(many?.lines.at(-1)).toBe('line 99');
  expect(many?.lines).toHaveLength(7);
  expect(many).toMatchObject({ truncated: true, omitted_lines: 93 });
  expect([omitted.failures, truncated]).toEqual([1, true]);
});

test('a noisy job does not displace a quiet one or an annotation', () => {
  const loud = Array.from({ length: 1000 }, () => 'noise');
  const { failures, annotations } = sampleReport({
    jobs: [failed('loud'), failed('quiet')],
    logs: [loud, ['the one line that matters']],
    notes: [{ context: 'c', style: 'error', body_html: 'remember' }],
    limits: { maxBytes: 390 },
  });
  expect(failures[1]).toMatchObject({ lines: ['the one line that matters'], truncated: false });
  expect(annotations).toEqual([
    { context: 'c', style: 'error', text: 'remember', truncated: false },
  ]);
  const bytes = failures.flatMap(({ lines }) => lines).join('\n').length + 'remember'.length;
  expect(bytes).toBeLessThanOrEqual(200);
  expect(failures[0]?.lines.length).toBeGreaterThan(20);
});

test('has one excerpt per cause, and a few lines of its other jobs', () => {
  const log = (received: number): string[] => [
    'Error: expected 4',
    ...Array.from({ length: 30 }, (_, at) => `line ${at} of ${received}`),
  ];
  const jobs = [
    failed('a', { soft_failed: true }),
    failed('b', { finished_at: '2026-11-24T10:00:09Z' }),
    failed('c', { finished_at: '2026-11-24T10:00:01Z' }),
    failed('other'),
  ];
  const { causes, failures } = sampleReport({
    jobs,
    logs: [log(1), log(2), ['Error: no network'], log(3)],
  });
  expect(causes.map(({ line, jobs: found }) => [line, found.map(({ name }) => name)])).toEqual([
    ['Error: expected 4', ['c', 'b', 'a']],
    ['Error: no network', ['other']],
  ]);
  expect(causes[0]?.jobs[0]).toEqual({ id: 'id-of-c', name: 'c', step_key: 'c' });
  expect(causes[0]?.excerpt).toEqual(failures[1]?.lines);
  expect(causes[0]?.excerpt).toHaveLength(31);
  expect(failures.map(({ lines }) => lines.length)).toEqual([3, 31, 1, 3]);
  expect(failures.map(({ last_line }) => last_line)).toEqual([
    ...['Error: expected 4', 'Error: expected 4', 'Error: no network', 'Error: expected 4'],
  ]);
});

test('the excerpts of causes, the lines of all jobs and annotations share the limit', () => {
  const lines = Array.from({ length: 50 }, (_, at) => `line ${at} ${'x'.repeat(60)}`);
  const jobs = Array.from({ length: 100 }, (_, at) => failed(`t${at}`));
  const { causes, failures } = sampleReport({
    jobs,
    logs: jobs.map((_, at) => [...lines, `Error: ${at < 50 ? 'no network' : 'no database'}`]),
    limits: { maxBytes: 9000 },
  });
  const texts = [...causes.map(({ excerpt }) => excerpt), ...failures.map((one) => one.lines)];
  expect(texts.flat().join('\n').length).toBeLessThanOrEqual(9000);
  expect(causes.map(({ excerpt }) => excerpt.length > 20)).toEqual([true, true]);
  expect(new Set(failures.map(({ last_line }) => last_line)).size).toBe(2);
});

test('limits the causes, but not the failures', () => {
  const jobs = ['a', 'b', 'c'].map((name) => failed(name));
  const logs = jobs.map(({ name }) => [`Error: no ${name}`]);
  const { causes, failures, omitted, truncated } = sampleReport({
    jobs,
    logs,
    limits: { maxCauses: 2 },
  });
  expect([causes.length, failures.length, omitted.causes, truncated]).toEqual([2, 3, 1, true]);
});

test('limits names and messages too', () => {
  const { build, failures } = sampleReport({
    build: { message: 'm'.repeat(9000) },
    jobs: [failed('n'.repeat(9000))],
  });
  expect([build.message?.length, failures[0]?.name.length]).toEqual([4094, 4094]);
});

test('counts hundreds of dependent jobs and lists a hundred', () => {
  const jobs = Array.from({ length: 250 }, (_, at) => ({ id: `${at}`, state: 'broken' }));
  const { followed, omitted, counts, truncated } = sampleReport({ jobs });
  expect([followed.length, omitted.followed, counts.followed, truncated]).toEqual([
    100,
    150,
    250,
    true,
  ]);
});

const names = (jobs: readonly { readonly job: Job }[]) => jobs.map(({ job }) => job.id);

/**
 * `failed`, `followed`, `passed`…: the class of a job in that state as the only job of its build.
 */
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
  ['canceled', 'canceled'],
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
])('%s, soft failed, is %s', (state, expected) => {
  expect(classOfAlone({ state, soft_failed: true })).toEqual([expected]);
});

test('lists soft failures after failures, and counts no waiters', () => {
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
])('a job %s is only a consequence', (_, state, others: Job[]) => {
  const sorted = sortJobs({ state, jobs: [...others, { id: 'c', state: 'canceled' }] });
  expect(names(sorted.followed)).toEqual(['c']);
});

test('lists a job canceled on its own as a failure, but does not count it as failed', () => {
  const { failures, followed, counts } = sortJobs({
    state: 'failed',
    jobs: [{ id: 'c', state: 'canceled' }],
  });
  expect([names(failures), names(followed)]).toEqual([['c'], []]);
  expect(counts).toMatchObject({ jobs: 1, failed: 0, canceled: 1 });
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

test('lists a job that passed on a retry as flaky', () => {
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
])('keeps a job that was retried %s', (_, jobs, ids) => {
  expect(names(sortJobs({ jobs }).failures)).toEqual(ids);
});

test('handles a build without jobs', () => {
  expect(sortJobs({ jobs: null }).counts.jobs).toBe(0);
});
