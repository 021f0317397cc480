import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../../src/service/start-service.ts';
import { useCounterpart } from './counterpart.ts';
import { killedService } from './killed-service.ts';
import { scriptedRunner } from './scripted-runner.ts';
import { tickingClock } from './ticking-clock.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'cictl-recovery-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('a data directory belongs to one service', async () => {
  const dataDir = await folder();
  const first = await useCounterpart({ dataDir });
  await expect(startService({ dataDir })).rejects.toThrow(
    `cannot use ${dataDir}: another service is using it`,
  );
  await first.close();
  const second = await startService({ dataDir });
  await second.close();
  expect(second.token).toBe(first.token);
});

test('reports a port in use', async () => {
  const { port } = await useCounterpart();
  const dataDir = await folder();
  const message = `cannot listen on port ${port}: the address is in use`;
  await expect(startService({ dataDir, port })).rejects.toThrow(message);
});

test('everything in the directory is private', async () => {
  const { dataDir } = await useCounterpart();
  for (const name of ['service.db', 'service.lock', 'service.json', 'credentials.json'])
    expect([name, (await stat(join(dataDir, name))).mode & 0o777]).toEqual([name, 0o600]);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
});

test('killed during a build, it comes back with all acknowledged changes', async () => {
  const dataDir = await folder();
  const { builds, annotation, token } = await killedService(dataDir);
  const runner = scriptedRunner();
  const service = await useCounterpart({ dataDir, runner });
  expect(service.token).toBe(token);
  const path = '/v2/organizations/local/pipelines/p/builds';
  const { list } = await service.get(path);
  expect(list.map(({ number }) => number).reverse()).toEqual(builds);
  expect((await service.get(`${path}/1/annotations`)).list[0]?.id).toBe(annotation);

  const first = (await service.get(`${path}/1`)).json;
  expect(first.state).toBe('failed');
  const [lost, wait, never] = first.jobs;
  expect(lost).toMatchObject({ state: 'failed', exit_status: -1, signal_reason: 'agent_stop' });
  expect([wait?.state, never?.state]).toEqual(['waiting_failed', 'waiting_failed']);
  const log = await service.get(`${path}/1/jobs/${lost?.id ?? ''}/log.txt`);
  expect(log.text).toContain('before the end');
  expect(log.text).toContain('The service was stopped while this job was running');

  // Jobs that were only scheduled run now.
  await service.until(`${path}/2`, ({ state }) => state === 'running');
  expect(runner.works[0]?.jobId).toBe((await service.get(`${path}/2`)).json.jobs[0]?.id);
});

test('a clean shutdown stops what runs', async () => {
  const dataDir = await folder();
  const first = await useCounterpart({ dataDir });
  const path = await first.pipeline('p', "steps: [{ command: 'sleep 60' }]");
  await first.post(`${path}/builds`, { commit: 'HEAD', branch: 'main' });
  await first.until(`${path}/builds/1`, ({ state }) => state === 'running');
  await first.close();
  const second = await useCounterpart({ dataDir });
  const { json } = await second.get(`${path}/builds/1`);
  expect(json).toMatchObject({ state: 'failed', jobs: [{ exit_status: -1 }] });
});

test('local down works over HTTP too', async () => {
  const service = await useCounterpart();
  await service.admin('POST', '/down');
  await service.closed;
  await expect(service.get('/v2/builds')).rejects.toThrow('ECONNREFUSED');
});

test('a clock set back neither stops a build nor reverses its times', async () => {
  const clock = tickingClock('2026-11-20T10:00:00.000Z');
  const runner = scriptedRunner();
  const service = await useCounterpart({ clock, runner });
  const path = await service.pipeline(
    'p',
    "steps: [{ command: 'make' }, wait, { command: 'test' }]",
  );
  await service.post(`${path}/builds`, { commit: 'HEAD', branch: 'main' });
  await service.until(`${path}/builds/1`, ({ state }) => state === 'running');
  clock.set('2026-11-20T08:00:00.000Z');
  runner.finish('make');
  await expect.poll(() => runner.works.length).toBe(2);
  runner.finish('test');
  const build = await service.until(`${path}/builds/1`, ({ state }) => state === 'passed');
  const times = [build, ...build.jobs.filter(({ type }) => type === 'script')];
  for (const { started_at: start, finished_at: end } of times)
    expect([start, end, String(start) <= String(end)]).toEqual([start, end, true]);
});
