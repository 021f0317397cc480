/** "States and transitions": reads and filters builds and jobs in every state at the same time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart, type Wire } from '../service/counterpart.ts';
import { scriptedRunner } from '../service/scripted-runner.ts';

const org = '/v2/organizations/local';
const runner = scriptedRunner({ obedient: false });
let service: Counterpart;
/** The paths of builds by state. */
const paths = new Map<string, string>();

beforeAll(async () => {
  // The failing, canceling and running builds use all slots.
  service = await createCounterpart({ runner, slots: 3 });
  await build('passed', ['passes']);
  await run('passes', 0);
  await build('failed', ['fails']);
  await run('fails', 1);
  await build('canceled', ['block']);
  await service.put(`${pathOf('canceled')}/cancel`);
  await build('blocked', ['before', 'block']);
  await run('before', 0);
  await build('failing', ['breaks', 'outlasts']);
  await run('breaks', 1);
  await build('canceling', ['stubborn']);
  await job('stubborn', 'running');
  await service.put(`${pathOf('canceling')}/cancel`);
  await build('running', ['runs']);
  await job('runs', 'running');
  await build('skipped', ['waits']);
  const settings = { skip_queued_branch_builds: 'true' };
  await service.admin('PATCH', '/organizations/local/pipelines/skipped', settings);
  await build('scheduled', ['waits'], 'skipped');
});

afterAll(async () => {
  for (const { jobId } of runner.works) runner.finish(jobId);
  await service.close();
});

async function build(state: string, steps: string[], slug = state): Promise<void> {
  const list = steps.map((step) => (step === 'block' ? step : `{ command: ${step} }`));
  const pipeline =
    slug === state ? await service.pipeline(slug, `[${list.join(', ')}]`) : undefined;
  const builds = `${pipeline ?? `${org}/pipelines/${slug}`}/builds`;
  const wanted = { commit: 'HEAD', branch: 'main', message: state };
  const { json } = await service.post(builds, wanted);
  paths.set(state, `${builds}/${json.number}`);
}

const pathOf = (state: string): string => paths.get(state) ?? '';

/** Waits until the newest build with this job has reached the state. */
const job = (command: string, state: string) =>
  service.until([...paths.values()].at(-1) ?? '', ({ jobs }) =>
    jobs.some((one) => one['command'] === command && one.state === state),
  );

async function run(command: string, exitStatus: number): Promise<void> {
  await job(command, 'running');
  runner.finish(command, { exitStatus });
  await job(command, exitStatus === 0 ? 'passed' : 'failed');
}

const shown = (one: Wire): string => (one.blocked ? 'blocked' : one.state);

test.each([
  ...['running', 'scheduled', 'passed', 'failing', 'failed'],
  ...['blocked', 'canceled', 'canceling', 'skipped'],
])('a build that is %s says so, and is found by it', async (state) => {
  expect(shown((await service.get(pathOf(state))).json)).toBe(state);
  const { list } = await service.get(`/v2/builds?state=${state}`);
  // A blocked build also keeps its last state.
  expect(list.map(({ message }) => message)).toEqual(
    state === 'passed' ? ['blocked', 'passed'] : [state],
  );
});

test('a blocked build keeps the last value of its state', async () => {
  const { json } = await service.get(pathOf('blocked'));
  expect(json).toMatchObject({ state: 'passed', blocked: true });
});

test('finished is passed, failed, blocked or canceled', async () => {
  const { list } = await service.get('/v2/builds?state=finished');
  expect(list.map(({ message }) => message).sort()).toEqual([
    'blocked',
    'canceled',
    'failed',
    'passed',
  ]);
});

test.each([
  // The other builds free their slots for it.
  ['scheduled', 'canceled'],
  ['running', 'canceling'],
  ['failing', 'canceling'],
])('a build that is %s can be canceled', async (state, after) => {
  const reply = await service.put(`${pathOf(state)}/cancel`);
  expect([reply.status, reply.json.state]).toEqual([200, after]);
  for (const { id, state: was } of reply.json.jobs) {
    if (was === 'canceling') runner.finish(id, { exitStatus: -1, signal: 'SIGTERM' });
  }
  expect((await service.settled(pathOf(state))).state).toBe('canceled');
});

test.each([
  ['failed', { exitStatus: 1 }],
  ['timed_out', { exitStatus: -1, timedOut: true }],
])('a job that is %s can be retried', async (state, outcome) => {
  await build(state === 'failed' ? 'over' : 'late', ['ends']);
  await job('ends', 'running');
  runner.finish('ends', outcome);
  const { jobs } = await job('ends', state);
  const path = [...paths.values()].at(-1) ?? '';
  const reply = await service.put(`${path}/jobs/${jobs[0]?.id ?? ''}/retry`);
  expect([reply.status, reply.json.state]).toEqual([200, 'scheduled']);
});
