import { expect, test } from 'vitest';
import { useCounterpart } from './counterpart.ts';

const hello = `
env: { COLOR: blue }
steps:
  - { label: one, key: one, command: 'echo "--- Hello"; echo $COLOR $GREETING' }
  - wait
  - { label: two, command: 'exit 3', soft_fail: true }
`;

test('a build runs, and everything about it can be read', async () => {
  const service = await useCounterpart();
  const path = await service.pipeline('hello', hello);
  const wanted = { commit: 'HEAD', branch: 'main', message: 'first', env: { GREETING: 'hi' } };

  const created = await service.post(`${path}/builds`, wanted);
  expect(created.status).toBe(201);
  expect(created.json).toMatchObject({ number: 1, state: 'scheduled', message: 'first' });

  const build = await service.settled(`${path}/builds/1`);
  expect(build).toMatchObject({ state: 'passed', blocked: false });
  expect(build.jobs.map(({ name, state }) => [name, state])).toEqual([
    ['one', 'passed'],
    ['wait', 'passed'],
    ['two', 'failed'],
  ]);
  expect(build.jobs[2]).toMatchObject({ soft_failed: true, exit_status: 3 });

  const list = await service.get('/v2/builds');
  expect(list.list).toHaveLength(1);

  const jobPath = `${path}/builds/1/jobs/${build.jobs[0]?.id ?? ''}`;
  const log = await service.get(`${jobPath}/log`);
  expect(log.json.content).toMatch(/blue hi\r\n$/);
  expect(log.json.header_times).toHaveLength(2);
  expect((await service.get(`${jobPath}/log.html`)).text).toContain('blue hi');
  const env = await service.get(`${jobPath}/env`);
  expect(env.json.env).toMatchObject({ CI: 'true', COLOR: 'blue', GREETING: 'hi' });
  expect(env.text).not.toContain('CICTL_TOKEN');

  const note = { body: '**done**', style: 'success', context: 'ctx' };
  const annotation = await service.post(`${path}/builds/1/annotations`, note);
  expect(annotation.status).toBe(201);
  expect(annotation.json).toMatchObject({ priority: 3, body_html: '<p><strong>done</strong></p>' });
});
