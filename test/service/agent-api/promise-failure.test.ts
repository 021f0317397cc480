/** `job promise-failure`: a running job announces that it will fail. */
import { expect, test } from 'vitest';
import { scriptedRunner } from '../scripted-runner.ts';
import { useRunningJobs, type RunningJob } from './running-jobs.ts';

const promise = (job: RunningJob, body: unknown) =>
  job.call('PUT', '/v3/jobs/J/promise_failure', body);

const file = `
steps:
  - { key: one, command: one }
  - { command: other, cancel_on_build_failing: true }
  - wait
  - { command: last }
`;

test('the build fails from the promise on, and the job keeps it', async () => {
  const { service, runner, build, job } = await useRunningJobs(file, 2);
  const reply = await promise(job('one'), { exit_status: 3, reason: 'because' });
  expect([reply.status, reply.text]).toEqual([204, '']);
  const { state: now, jobs: running } = (await service.get(build)).json;
  expect(now).toBe('failing');
  expect(running[0]?.['promised_failure']).toEqual({ exit_status: 3, reason: 'because' });
  await expect.poll(() => runner.asked).toEqual(['other cancel']);
  runner.finish('one');
  const { state, jobs } = await service.settled(build);
  expect(state).toBe('failed');
  expect(jobs.map((one) => [one.state, one['exit_status']])).toEqual([
    ['failed', 3],
    ['canceled', -1],
    ['waiting_failed', null],
    ['waiting_failed', null],
  ]);
});

test('the same promise can be repeated, another is rejected', async () => {
  const { job } = await useRunningJobs(file, 2);
  const one = job('one');
  const codes = [3, 3, 4].map((status) => async () => {
    const reply = await promise(one, { exit_status: status });
    return [reply.status, reply.text === '' ? '' : reply.json.message];
  });
  expect([await codes[0]?.(), await codes[1]?.(), await codes[2]?.()]).toEqual([
    [204, ''],
    [204, ''],
    [409, 'This job has already promised the exit status 3'],
  ]);
});

test('stores a different failure, a soft one only if no other was promised', async () => {
  const soft = `
steps:
  - { command: one }
  - { command: two, soft_fail: [{ exit_status: 7 }] }
  - { command: three, soft_fail: [{ exit_status: 7 }] }
`;
  const { service, runner, build, job } = await useRunningJobs(soft, 3);
  await promise(job('one'), { exit_status: 3 });
  await promise(job('two'), { exit_status: 3 });
  await promise(job('three'), { exit_status: 7 });
  runner.finish('one', { exitStatus: 5 });
  runner.finish('two', { exitStatus: 7 });
  runner.finish('three');
  const { jobs } = await service.settled(build);
  expect(jobs.map((one) => [one['exit_status'], one['soft_failed']])).toEqual([
    [5, false],
    [3, false],
    [7, true],
  ]);
});

test('a soft-failed promise does not fail the build', async () => {
  const soft = 'steps: [{ command: one, soft_fail: true }]';
  const { service, build, job } = await useRunningJobs(soft);
  await promise(job('one'), { exit_status: 3 });
  expect((await service.get(build)).json.state).toBe('running');
});

test.each([{}, ...[0, 256, -1, 1.5, '3', null].map((status) => ({ exit_status: status }))])(
  '%j is not a promise',
  async (body) => {
    const { job } = await useRunningJobs(file, 2);
    const reply = await promise(job('one'), body);
    expect(reply.status).toBe(422);
    expect(reply.json.message).toContain('exit_status must be a number between 1 and 255');
  },
);

test('a canceling job can promise nothing', async () => {
  const runner = scriptedRunner({ obedient: false });
  const { service, build, job } = await useRunningJobs(file, 2, { runner });
  await service.put(`${build}/cancel`);
  const reply = await promise(job('one'), { exit_status: 3 });
  runner.finish('one');
  runner.finish('other');
  expect([reply.status, reply.json.message]).toEqual([
    422,
    'Only a running job can promise to fail',
  ]);
});
