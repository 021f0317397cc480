/** `builds view` on a terminal, and its summary, with exact responses. */
import { expect, test } from 'vitest';
import type { Job } from '../../src/api/resources/job.ts';
import type { Summary } from '../../src/triage/summary.ts';
import { acme, against } from '../support/against.ts';
import type { Exchange } from '../support/server.ts';

const path = `${acme}/pipelines/web/builds/7`;
const [begun, over] = ['2026-11-20T10:00:00Z', '2026-11-20T10:06:56Z'];
const job = (key: string, state: string, more: Job = {}): Job => ({
  ...{ id: `id-of-${key}`, type: 'script', name: key, step_key: key, state },
  ...more,
});
const jobs = [
  job('unit', 'passed', { started_at: begun, finished_at: over, exit_status: 0 }),
  job('lint', 'failed', { started_at: begun, finished_at: over, exit_status: 3 }),
  { id: 'w', type: 'waiter', state: 'waiting_failed' },
  job('deploy', 'waiting_failed'),
];
const answers = (more: object = {}, notes: object = { json: [{ style: 'error' }] }): Exchange[] => [
  {
    path,
    answer: {
      json: { number: 7, state: 'failed', started_at: begun, finished_at: over, jobs, ...more },
    },
  },
  { path: `${path}/annotations?per_page=100`, answer: notes },
];
const view = (...args: string[]) => ['builds', 'view', 'acme/web/7', ...args];

test('prints a table with the number of annotations', async () => {
  const { stdout, stderr, exitCode } = await against(answers(), view('-o', 'table'));
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^✗ web #7 failed in 6m56s, /);
  expect(stdout).toMatch(/^✗ failed {3}lint +lint +3 +6m56s$/m);
  expect(stdout).toMatch(/^– not run {2}deploy$/m);
  expect(stdout).toMatch(/^3 jobs: 1 passed · 1 failed · 1 not run {4}annotations: 1 error$/m);
  expect(stdout).toMatch(/^next: cictl builds failures (acme\/)?web\/7$/m);
});

test.each([
  [{ status: 403, json: { message: 'Forbidden' } }],
  [{ status: 404, json: { message: 'No build found' } }],
  [{ json: [{ style: 7 }] }],
])('shows the build even if annotations cannot be read: %j', async (notes) => {
  const { stdout, stderr, exitCode } = await against(answers({}, notes), view('-o', 'table'));
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^3 jobs: 1 passed · 1 failed · 1 not run$/m);
});

test('needs one request in a pipe and as JSON', async () => {
  const [build] = answers();
  expect((await against(build ? [build] : [], view())).stdout).toMatch(/^7\tfailed\t/);
  expect((await against(build ? [build] : [], view('--json'))).exitCode).toBe(0);
});

test('prints the summary as one line of JSON in a pipe', async () => {
  const { stdout, exitCode } = await against(answers(), view('--summary'));
  expect([exitCode, stdout.trim().split('\n')]).toEqual([0, [expect.any(String)]]);
  const summary = JSON.parse(stdout) as Summary;
  expect(summary).toMatchObject({
    build: { organization: 'acme', pipeline: 'web', number: 7, state: 'failed', duration: 416 },
    counts: { jobs: 3, passed: 1, failed: 1, not_run: 1 },
    annotations: { error: 1, warning: 0 },
    omitted_jobs: 0,
  });
  expect(summary.jobs.map(({ name, exit_status }) => [name, exit_status])).toEqual([
    ['unit', 0],
    ['lint', 3],
    ['deploy', null],
  ]);
});

test.each([
  [['--jq', '.counts.failed'], '1\n'],
  [['--fields', 'counts.passed,build.state'], '1\tfailed\n'],
  [['-o', 'tsv'], '7\tfailed\t416\t3\t1\t1\t0\t1\t\n'],
])('prints the summary with %j', async (args, expected) => {
  const { stdout, exitCode } = await against(answers(), view('--summary', ...args));
  expect([exitCode, stdout]).toEqual([0, expected]);
});

test('the summary table omits passed jobs', async () => {
  const { stdout } = await against(answers(), view('--summary', '-o', 'table'));
  expect(stdout).toMatch(/✗ failed {3}lint/);
  expect(stdout).not.toContain('unit');
});

test('the summary of hundreds of jobs has those that did not pass', async () => {
  const many = Array.from({ length: 300 }, (_, at) =>
    job(`j${at}`, at === 299 ? 'failed' : 'passed'),
  );
  const { stdout } = await against(answers({ jobs: many }), view('--summary'));
  const summary = JSON.parse(stdout) as Summary;
  expect([summary.jobs.length, summary.omitted_jobs]).toEqual([100, 200]);
  expect(summary.jobs.at(-1)?.name).toBe('j299');
});
