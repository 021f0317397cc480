/** Jobs that no agent accepts expire after a configurable time. */
import { expect, test } from 'vitest';
import { until } from '../run/processes.ts';
import { createCaller } from './rest-caller.ts';
import { offered, register, useBuild } from './faults-agent.ts';

const minutes = 60_000;

test('a job that no agent accepts in time expires, and is not offered again', async () => {
  let now = Date.parse('2026-01-01T10:00:00Z');
  const clock = { now: () => now };
  const steps = [{ key: 'none', command: 'true', agents: { queue: 'none' } }];
  const options = { clock, expireAfter: 5 * minutes, heartbeat: 3600 };
  const { service, build } = await useBuild([...steps, 'true'], options);
  const agent = await register(service);
  // A job that an agent has accepted does not expire.
  const taken = await offered(agent);
  expect((await agent.call('PUT', `/jobs/${taken}/accept`)).text).toContain('accepted');
  now += 5 * minutes + 1000;
  const states = async () => (await build.read()).jobs.map(({ state }) => state);
  await until(async () => (await states())[0] === 'expired');
  expect(await states()).toEqual(['expired', 'accepted']);

  const late = await register(service, { meta_data: ['queue=none'] });
  const { state, jobs } = await build.read();
  const refused = await late.call('PUT', `/jobs/${jobs[0]?.id ?? ''}/accept`);
  expect(refused.status).toBe(422);
  expect([state, jobs[0]]).toEqual([
    'failing',
    expect.objectContaining({ expired_at: '2026-01-01T10:05:01.000Z' }),
  ]);
});

test('jobs that waited since different times expire separately', async () => {
  let now = Date.parse('2026-01-01T10:00:00Z');
  const options = { clock: { now: () => now }, expireAfter: 100_000, heartbeat: 3600 };
  const { service, build } = await useBuild(['true'], options);
  const { get, post } = createCaller(service);
  const builds = '/v2/organizations/local/pipelines/p/builds';
  now += 50_000;
  await post(builds, { commit: 'HEAD', branch: 'main' });
  now += 50_500;
  await until(async () => (await build.read()).jobs[0]?.state === 'expired');
  now += 50_000;
  await until(async () => (await get(`${builds}/2`)).json['state'] === 'failed');
  expect((await get(`${builds}/2`)).json['finished_at']).toBe('2026-01-01T10:02:30.500Z');
});
