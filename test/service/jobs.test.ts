import { expect, test } from 'vitest';
import { useCounterpart, type Counterpart, type Wire } from './counterpart.ts';
import { scriptedRunner, type ScriptedRunner } from './scripted-runner.ts';

const wanted = { commit: 'HEAD', branch: 'main' };

interface Scene {
  readonly service: Counterpart;
  readonly runner: ScriptedRunner;
  /** The path of build 1. */
  readonly path: string;
  /** The path of the job with this name in build 1. */
  readonly job: (name: string) => Promise<string>;
}

async function scene(file: string, options: { auto?: boolean } = {}): Promise<Scene> {
  const runner = scriptedRunner(options);
  const service = await useCounterpart({ runner });
  const pipeline = await service.pipeline('p', file);
  await service.post(`${pipeline}/builds`, wanted);
  const path = `${pipeline}/builds/1`;
  const job = async (name: string): Promise<string> => {
    const { json } = await service.get(path);
    return `${path}/jobs/${json.jobs.find((one) => one.name === name)?.id ?? ''}`;
  };
  return { service, runner, path, job };
}

const states = ({ jobs }: Wire): string => jobs.map(({ state }) => state).join(' ');

test('a retry is a new job, and the build continues', async () => {
  const file = "steps: [{ command: 'exit 1' }, wait, { command: 'after' }]";
  const { service, runner, path, job } = await scene(file);
  await service.until(path, ({ jobs }) => jobs[0]?.state === 'running');
  runner.finish('exit 1', { exitStatus: 1 });
  const failed = await service.settled(path);
  expect(states(failed)).toBe('failed waiting_failed waiting_failed');

  const first = await job('exit 1');
  const reply = await service.put(`${first}/retry`);
  expect(reply.status).toBe(200);
  expect(reply.json).toMatchObject({
    state: 'scheduled',
    exit_status: null,
    retries_count: 1,
    retry_source: { job_id: failed.jobs[0]?.id, retry_type: 'manual' },
    scheduled_at: failed['created_at'],
  });
  expect(typeof reply.json['artifacts_url']).toBe('string');

  const going = await service.until(path, ({ jobs }) => jobs[0]?.state === 'running');
  expect([going.state, going['finished_at']]).toEqual(['running', null]);
  expect(states(going)).toBe('running waiting waiting');
  const all = await service.get(`${path}?include_retried_jobs=True`);
  expect(all.json.jobs[0]).toMatchObject({
    id: failed.jobs[0]?.id,
    retried: true,
    retried_in_job_id: reply.json.id,
    retry_type: 'manual',
  });
  expect(all.json.jobs).toHaveLength(4);

  runner.finish('exit 1');
  await service.until(path, ({ jobs }) => jobs[2]?.state === 'running');
  runner.finish('after');
  expect(await service.settled(path)).toMatchObject({ state: 'passed' });

  const twice = await service.put(`${first}/retry`);
  expect([twice.status, twice.json.message]).toEqual([422, 'Jobs can only be retried once']);
});

test.each([
  ['true', 400, 'Only failed, timed out or canceled jobs can be retried'],
  ['wait', 400, 'Only failed, timed out or canceled jobs can be retried'],
])('the job %s cannot be retried', async (name, status, message) => {
  const { service, path, job } = await scene('steps: [{ command: "true" }, wait]', { auto: true });
  await service.settled(path);
  const reply = await service.put(`${await job(name)}/retry`);
  expect([reply.status, reply.json.message]).toEqual([status, message]);
});

test('a job of a canceled build cannot be retried or unblocked', async () => {
  const { service, path, job } = await scene("steps: [{ command: 'one' }, { block: 'Go?' }]");
  await service.until(path, ({ state }) => state === 'running');
  await service.put(`${path}/cancel`);
  await service.settled(path);
  expect((await service.put(`${await job('one')}/retry`)).json.message).toBe(
    'Jobs from canceled builds cannot be retried',
  );
  expect((await service.put(`${await job('Go?')}/unblock`)).json.message).toBe(
    'Jobs from canceled builds cannot be unblocked',
  );
});

const block = `
steps:
  - { command: 'before' }
  - block: Go?
    fields:
      - { text: Name, key: name, required: true }
      - { select: Where, key: where, multiple: true, default: a, options: [{ label: A, value: a }, { label: B, value: b }] }
  - { command: 'after' }
`;

test('unblocking continues the build and stores the fields', async () => {
  const { service, path, job } = await scene(block, { auto: true });
  const blocked = await service.settled(path);
  expect(blocked).toMatchObject({ state: 'passed', blocked: true, blocked_state: 'passed' });
  expect(blocked['finished_at']).not.toBeNull();
  const manual = await job('Go?');
  expect(blocked.jobs[1]).toMatchObject({
    type: 'manual',
    label: 'Go?',
    state: 'blocked',
    unblockable: true,
    unblocked_by: null,
    unblocked_at: null,
    unblock_url: `${service.url}${manual}/unblock`,
    web_url: null,
  });

  const reply = await service.put(`${manual}/unblock`, {
    fields: { name: 'x', where: ['a', 'b'] },
  });
  expect(reply.status).toBe(200);
  expect(reply.json).toMatchObject({
    state: 'unblocked',
    unblockable: false,
    unblocked_by: { name: 'Local user' },
  });
  const build = await service.until(path, ({ state, blocked }) => state === 'passed' && !blocked);
  expect(states(build)).toBe('passed unblocked passed');
  expect(build['meta_data']).toEqual({ name: 'x', where: 'a\nb' });

  const twice = await service.put(`${manual}/unblock`);
  expect([twice.status, twice.json.message]).toEqual([422, "The job's state must be blocked"]);
});

test.each<[object, number, string]>([
  [{}, 422, 'The field "name" is required'],
  [{ fields: { name: '' } }, 422, 'The field "name" is required'],
  [{ fields: { name: ['a', 'b'] } }, 422, 'The field "name" only accepts one value'],
  [{ fields: { name: 'x', where: 'c' } }, 422, '"c" is not an option of the field "where" (a, b)'],
  [{ fields: { nam: 'x' } }, 422, 'The block step has no field "nam" (it has name, where)'],
  [{ fields: 'x' }, 422, 'Validation Failed'],
  [{ fields: { name: 'a\0' } }, 422, 'Validation Failed'],
  [{ fields: { name: 'x', where: ['a\0'] } }, 422, 'Validation Failed'],
  [{ unblocker: 'nobody' }, 422, 'Unblocker is not a valid user id for this organization'],
])('unblocking with %j', async (body, status, message) => {
  const { service, path, job } = await scene(block, { auto: true });
  await service.settled(path);
  const reply = await service.put(`${await job('Go?')}/unblock`, body);
  expect([reply.status, reply.json.message]).toEqual([status, message]);
});

test('another user can be named as the unblocker', async () => {
  const { service, path, job } = await scene('steps: [{ block: "Go?" }]');
  const user = await service.admin('POST', '/users', { name: 'Ann', email: 'ann@x' });
  const reply = await service.put(`${await job('Go?')}/unblock`, { unblocker: user.id });
  expect(reply.json['unblocked_by']).toMatchObject({ id: user.id, name: 'Ann' });
  expect((await service.get(path)).json).toMatchObject({ state: 'passed', blocked: false });
});

test('a script cannot be unblocked', async () => {
  const { service, path, job } = await scene('steps: [{ command: "true" }]', { auto: true });
  await service.settled(path);
  const reply = await service.put(`${await job('true')}/unblock`);
  expect([reply.status, reply.json.message]).toEqual([400, 'This job type cannot be unblocked']);
});

test('the short URLs of jobs do the same', async () => {
  const { service, path, job } = await scene('steps: [{ command: "exit 1" }]', { auto: true });
  await service.settled(path);
  const id = (await job('exit 1')).split('/').at(-1) ?? '';
  const short = `/v2/organizations/local/jobs/${id}`;
  expect((await service.get(`${short}/log/`)).status).toBe(200);
  expect((await service.get(`${short}/env`)).json.env['CI']).toBe('true');
  expect((await service.put(`${short}/retry`)).status).toBe(200);
  const none = await service.get('/v2/organizations/local/jobs/none/log');
  expect([none.status, none.json.message]).toEqual([404, 'No job found']);
});

test('the environment as text can be read back', async () => {
  const file = `
steps:
  - command: 'true'
    env: { PLAIN: a-b, SPACED: 'a b', QUOTED: "it's $$HOME", LINES: "a\\nb" }
`;
  const { service, path, job } = await scene(file, { auto: true });
  await service.settled(path);
  const env = `${await job('true')}/env`;
  for (const reply of [
    await service.get(`${env}.txt`),
    await service.get(env, { headers: { accept: 'text/plain' } }),
  ]) {
    expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(reply.text).toContain(
      "PLAIN=a-b\nSPACED='a b'\nQUOTED=\"it's \\$HOME\"\nLINES='a\nb'\n",
    );
  }
  expect((await service.get(env, { headers: { accept: '*/*' } })).json.env['PLAIN']).toBe('a-b');
});

test("converts a step's minutes to milliseconds for the runner", async () => {
  const file = 'steps: [{ command: a, timeout_in_minutes: 1.5 }, wait, { command: b }]';
  const { service, runner, path } = await scene(file, { auto: true });
  await service.settled(path);
  expect(runner.works.map(({ timeout }) => timeout)).toEqual([90_000, null]);
});
