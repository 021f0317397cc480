/** `annotate` and `annotation remove`, as sent by agents. */
import { expect, test } from 'vitest';
import { useRunningJobs, type RunningJob } from './running-jobs.ts';

const two = 'steps: [{ command: one }, { command: two }]';

const annotate = async (job: RunningJob, body: object): Promise<number> =>
  (await job.call('POST', '/v3/jobs/J/annotations', body)).status;

const remove = async (job: RunningJob, context: string, query = ''): Promise<number> =>
  (await job.call('DELETE', `/v3/jobs/J/annotations/${context}${query}`)).status;

const shown = async ({ service, build }: Awaited<ReturnType<typeof useRunningJobs>>) =>
  (await service.get(`${build}/annotations`)).list
    .map((one) => [one['scope'], one['job_id'] ?? null, one['context'], one.body_html.trim()])
    .sort();

test("each job has its own annotations, in addition to the build's", async () => {
  const running = await useRunningJobs(two, 2);
  const [one, other] = [running.job('one'), running.job('two')];
  const context = 'my.ctx';
  expect(await annotate(one, { body: 'build', context, scope: 'build' })).toBe(201);
  expect(await annotate(one, { body: 'first', context, scope: 'job' })).toBe(201);
  expect(await annotate(other, { body: 'second', context, scope: 'job' })).toBe(201);
  expect(await annotate(one, { body: ' more', context, scope: 'job', append: true })).toBe(201);
  expect(await shown(running)).toEqual([
    ['build', null, context, '<p>build</p>'],
    ...[
      ['job', one.id, context, '<p>first\n more</p>'.replace('\n ', '\n')],
      ['job', other.id, context, '<p>second</p>'],
    ].sort(),
  ]);
  expect(await remove(other, 'my%2Ectx', '?scope=job')).toBe(204);
  expect(await remove(other, 'my%2Ectx', '?scope=job')).toBe(404);
  expect(await remove(other, 'my%2Ectx')).toBe(204);
  expect((await shown(running)).map(([scope, id]) => [scope, id])).toEqual([['job', one.id]]);
});

test('without a body, an annotation changes its style within its scope', async () => {
  const running = await useRunningJobs(two, 2);
  const one = running.job('one');
  await annotate(one, { body: 'x', context: 'c', scope: 'job' });
  expect(await annotate(one, { style: 'error', context: 'c' })).toBe(400);
  expect(await annotate(one, { style: 'error', context: 'c', scope: 'job' })).toBe(201);
  expect((await running.service.get(`${running.build}/annotations`)).list[0]).toMatchObject({
    style: 'error',
    scope: 'job',
  });
});

test.each([{ scope: 'all' }, { scope: 1 }, { style: 'red' }, { priority: 11 }, { context: 'a\0' }])(
  'agents of all versions give up on %j immediately',
  async (wrong) => {
    const { job } = await useRunningJobs(two, 2);
    expect(await annotate(job('one'), { body: 'x', ...wrong })).toBe(400);
  },
);
