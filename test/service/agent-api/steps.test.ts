/** `step`, `job update` and `build cancel` as sent by agents. */
import { expect, test } from 'vitest';
import { useRunningJobs, type RunningJob } from './running-jobs.ts';

const file = `
steps:
  - { key: one, label: First, command: one }
  - { key: two, label: Second, command: two }
  - wait
  - { key: last, command: last }
`;

const update = (job: RunningJob, body: object, step = 'S') =>
  job.call('PUT', `/v3/steps/${step}`, { build_id: job.buildId, ...body });

const label = async (job: RunningJob): Promise<unknown> =>
  (await job.call('POST', '/v3/steps/S/export', { attribute: 'label', build_id: job.buildId }))
    .json['output'];

test('appends to a step once, however often it is sent', async () => {
  const { job } = await useRunningJobs(file, 2);
  const one = job('one');
  const more = { idempotency_uuid: 'u-1', attribute: 'label', value: ' more', append: true };
  const replies = await Promise.all([update(one, more), update(one, more)]);
  replies.push(await update(one, more));
  expect(replies.map(({ status }) => status)).toEqual([204, 204, 204]);
  expect(await label(one)).toBe('First more');
  await update(one, { ...more, idempotency_uuid: 'u-2' });
  expect(await label(one)).toBe('First more more');
});

test('only the job that does the work of a lock can mark it as done', async () => {
  const { job } = await useRunningJobs(file, 2);
  const [one, two] = [job('one'), job('two')];
  const ask = async (from: RunningJob, action: string) =>
    (await from.call('POST', `/local/v1/job/locks/${action}`, { key: 'k' })).json;
  expect(await ask(one, 'do')).toEqual({ value: 'do' });
  expect(await ask(two, 'done')).not.toHaveProperty('value');
  expect(await ask(one, 'done')).toEqual({ value: 'done' });
  expect(await ask(two, 'do')).toEqual({ value: 'done' });
});

test('a rejected change can be repeated with its id', async () => {
  const { job } = await useRunningJobs(file, 2);
  const one = job('one');
  const change = { idempotency_uuid: 'u-1', attribute: 'command', value: 'x' };
  expect((await update(one, change)).status).toBe(400);
  expect((await update(one, { ...change, attribute: 'label' })).status).toBe(204);
  expect(await label(one)).toBe('x');
});

test('the outcome of a step is a single string, by id or key', async () => {
  const { job } = await useRunningJobs(file, 2);
  const one = job('one');
  const get = async (step: string, more: object = {}): Promise<unknown> =>
    (await one.call('POST', `/v3/steps/${step}/export`, { build_id: one.buildId, ...more })).json[
      'output'
    ];
  const whole = JSON.parse(String(await get('S'))) as object;
  expect(whole).toMatchObject({ id: one.stepId, key: 'one', label: 'First', state: 'running' });
  expect(await get('two', { attribute: 'label', format: 'json' })).toBe('"Second"');
  const missing = await one.call('POST', '/v3/steps/nope/export', { build_id: one.buildId });
  expect(missing.status).toBe(400);
});

test('a job cancels a step, or its whole build', async () => {
  const { runner, build, service, job } = await useRunningJobs(file, 2);
  const [one, two] = [job('one'), job('two')];
  const canceled = await one.call('POST', '/v3/steps/two/cancel', { build_id: one.buildId });
  expect(canceled.json.uuid).toBe(two.stepId);
  await expect.poll(() => runner.asked).toEqual(['two cancel']);
  const all = await one.call('POST', '/v3/builds/B/cancel');
  expect(all.json).toEqual({ uuid: one.buildId });
  expect((await service.settled(build)).state).toBe('canceled');
});

test.each([
  [{}],
  [{ priority: 5 }],
  [{ priority: 'high' }],
  [{ state: 'passed' }],
  [{ priority: '5', exit_status: '0' }],
  [[]],
])('a job cannot change itself by %j', async (body) => {
  const { job } = await useRunningJobs(file, 2);
  expect((await job('one').call('PUT', '/v3/jobs/J', body)).status).toBe(400);
});

test('a job changes its priority', async () => {
  const { service, build, job } = await useRunningJobs(file, 2);
  const one = job('one');
  const reply = await one.call('PUT', '/v3/jobs/J', { priority: '5' });
  expect([reply.status, reply.json]).toEqual([200, { id: one.id }]);
  const { jobs } = (await service.get(build)).json;
  expect(jobs[0]?.['priority']).toEqual({ number: 5 });
});
