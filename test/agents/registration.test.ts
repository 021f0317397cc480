import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openService, useService } from '../support/service.ts';
import { offered, register as registered, send, useBuild } from './faults-agent.ts';

const register = async (body: object) => {
  const service = await useService({ slots: 0 });
  return send(service, 'POST', '/register', { body, token: service.agentToken });
};

test('an agent gets every value it requires, as integers from 1', async () => {
  const { status, json } = await register({ name: 'a', meta_data: ['os=linux'] });
  expect(status).toBe(200);
  expect(json).toMatchObject({ name: 'a', meta_data: ['queue=default', 'os=linux'] });
  const intervals = json as unknown as Record<string, number>;
  for (const name of ['ping_interval', 'job_status_interval', 'heartbeat_interval'])
    expect(Number.isInteger(intervals[name]) && (intervals[name] ?? 0) >= 1, name).toBe(true);
});

test('agents can share a name, and the service fills in missing values', async () => {
  const service = await useService({ slots: 0 });
  const name = async (given: string): Promise<unknown> => {
    const body = { name: given, hostname: 'box' };
    const { json } = await send(service, 'POST', '/register', { body, token: service.agentToken });
    return (json as unknown as { name: string }).name;
  };
  expect(await name('same')).toBe('same');
  expect(await name('same')).toBe('same');
  expect(await name('%hostname-%n')).toBe('box-1');
  expect(await name('%hostname-%n')).toBe('box-2');
  expect(await name('')).toBe('box-3');
});

test.each<[what: string, body: object, status: number]>([
  ['100,000 tags', { meta_data: Array.from({ length: 100_000 }, (_, n) => `t=${n}`) }, 422],
  ['a tag of a megabyte', { meta_data: ['a'.repeat(1_000_000)] }, 422],
  ['tags that are no list', { meta_data: 'queue=a' }, 422],
  ['a name of a megabyte', { name: 'a'.repeat(1_000_000) }, 422],
  ['a priority that is no number', { priority: 'banana' }, 422],
  ['a process id that is no number', { pid: 'x' }, 422],
  ['what is no object', [], 400],
])('rejects %s in one line', async (_, body, status) => {
  const response = await register(body);
  expect(response.status).toBe(status);
  expect(response.text.length).toBeLessThan(500);
});

test('a job has what an agent requires, and an environment of strings', async () => {
  const { service } = await useBuild(['echo a']);
  const agent = await registered(service);
  const id = await offered(agent);
  const { json } = await agent.call('PUT', `/jobs/${id}/accept`);
  expect(json).toMatchObject({ id, state: 'accepted' });
  const members = json as unknown as Record<string, unknown>;
  expect(members['chunks_max_size_bytes']).toBeGreaterThan(0);
  expect(members['token']).toMatch(/^cictl_job_\w{40}$/);
  expect(Object.values(json.env).filter((value) => typeof value !== 'string')).toEqual([]);
  for (const name of ['JOB_ID', 'AGENT_NAME', 'REPO', 'COMMIT', 'BRANCH', 'PIPELINE_PROVIDER'])
    expect(json.env[`BUILDKITE_${name}`], name).toBeTruthy();
});

test('a restarted service repeats its responses', async () => {
  const { service } = await useBuild(['echo a']);
  const agent = await registered(service);
  const id = await offered(agent);
  const before = await agent.call('PUT', `/jobs/${id}/accept`);
  await service.close();
  const options = { dataDir: join(service.home.root, 'service'), slots: 0 };
  const { service: later } = await openService(options);
  onTestFinished(() => later.close());
  const again = (method: string, path: string, token: string, body: object = {}) =>
    send(later, method, path, { token, body });
  const { status, json } = await again('PUT', `/jobs/${id}/accept`, agent.token);
  expect(status).toBe(200);
  expect(json.token).toBe(before.json.token);
  expect((await again('PUT', `/jobs/${id}/start`, json.token)).status).toBe(200);
  for (let time = 0; time < 2; time++) {
    const finished = await again('PUT', `/jobs/${id}/finish`, json.token, { exit_status: '0' });
    expect(finished.status).toBe(200);
  }
  const built = await fetch(`${later.url}/v2/builds`, {
    headers: { authorization: `Bearer ${later.token}` },
  });
  expect(await built.json()).toMatchObject([{ state: 'passed' }]);
});

test('a disconnected agent is rejected when it polls, but not for a heartbeat', async () => {
  const service = await useService({ slots: 0 });
  const agent = await registered(service);
  const beat = () => agent.call('POST', '/heartbeat', { body: { sent_at: 'x' } });
  expect((await beat()).json).toMatchObject({ sent_at: 'x' });
  for (let time = 0; time < 2; time++)
    expect((await agent.call('POST', '/disconnect')).status).toBe(200);
  expect((await agent.call('GET', '/ping')).status).toBe(401);
  expect((await agent.call('POST', '/connect')).status).toBe(401);
  expect((await beat()).status).toBe(200);
});
