/** Requests from jobs on real agents: what outlives the service, and what expires with the job. */
import promises, { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createCounterpart } from '../counterpart.ts';
import { registerAgent, useRemoteBuild } from './remote-jobs.ts';
import { callerOf, type RunningJob } from './running-jobs.ts';
import { sampled } from '../../support/full.ts';

const file = 'steps: [{ key: one, label: First, command: one }]';

/** A clock that the test advances. */
function movedClock() {
  let at = Date.parse('2026-11-21T20:00:00Z');
  return { now: () => at++, move: (ms: number) => void (at += ms) };
}

async function useDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-remote-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('repeats its responses after a restart, and acts once', async () => {
  const dataDir = await useDataDir();
  const { service, build } = await useRemoteBuild(file, { dataDir });
  const job = await (await registerAgent(service)).take();
  const upload = { uuid: 'u-1', pipeline: { steps: [{ command: 'added', key: 'added' }] } };
  const append = { idempotency_uuid: 'u-2', attribute: 'label', value: ' more', append: true };
  const artifacts = [
    { path: 'x', file_size: 1 },
    { path: 'y', file_size: 1 },
  ];
  const requests = [
    ['POST', '/v3/jobs/J/pipelines?async=true', upload],
    ['PUT', '/v3/steps/S', append],
    ['POST', '/v3/jobs/J/artifacts', { id: 'batch', artifacts }],
    ['POST', '/v3/jobs/J/data/set', { key: 'a', value: 'b' }],
    ['PUT', '/v3/jobs/J/promise_failure', { exit_status: 3 }],
  ] as const;
  const first = await all(requests, job);
  await service.close();
  const again = await createCounterpart({ slots: 0, dataDir });
  onTestFinished(() => again.close());
  const sameJob = { ...job, call: callerOf(again, job) };
  // The URL has another port.
  const origin = /127\.0\.0\.1:\d+/g;
  const second = await all(requests, sameJob);
  expect(second.map((text) => text.replace(origin, ''))).toEqual(
    first.map((text) => text.replace(origin, '')),
  );
  const { jobs } = (await again.get(build)).json;
  expect(jobs.map(({ name }) => name)).toEqual(['First more', 'added']);
  expect((await again.get(`${build}/artifacts`)).list).toHaveLength(2);
});

async function all(
  requests: readonly (readonly [string, string, unknown])[],
  job: RunningJob,
): Promise<string[]> {
  const texts: string[] = [];
  for (const [method, path, body] of requests) {
    const { status, text } = await job.call(method, path, body);
    expect([path, Math.floor(status / 100)]).toEqual([path, 2]);
    texts.push(text);
  }
  return texts;
}

/** Requests that a job may send, except for its state, its log and its end. */
const requests: readonly [method: string, path: string, body?: object][] = [
  ['POST', '/v3/jobs/J/data/set', { key: 'a', value: 'b' }],
  ['POST', '/v3/jobs/J/data/get', { key: 'a' }],
  ['POST', '/v3/jobs/J/data/keys', {}],
  ['POST', '/v3/builds/B/data/keys', {}],
  ['POST', '/v3/jobs/J/annotations', { body: 'x' }],
  ['POST', '/v3/jobs/J/artifacts', { id: 'b', artifacts: [] }],
  ['GET', '/v3/builds/B/artifacts/search?query=*'],
  ['POST', '/v3/jobs/J/pipelines', { uuid: 'u', pipeline: { steps: [{ command: 'x' }] } }],
  ['POST', '/v3/steps/S/export', {}],
  ['PUT', '/v3/steps/S', { attribute: 'label', value: 'x' }],
  ['GET', '/v3/jobs/J/secrets?key=x'],
  ['PUT', '/v3/jobs/J', { priority: '1' }],
  ['POST', '/v3/jobs/J/header_times', { header_times: {} }],
  ['POST', '/v3/builds/B/cancel', {}],
  ['POST', '/v3/stop', {}],
  ['POST', '/v3/pause', {}],
  ['POST', '/v3/resume', {}],
];

test('after a job finished, its token is only valid for its state, log and end', async () => {
  const { service, build } = await useRemoteBuild(file);
  const job = await (await registerAgent(service)).take();
  const finish = () => job.call('PUT', '/v3/jobs/J/finish', { exit_status: '0' });
  const rest = () => service.get(build, { token: job.token });
  expect((await rest()).status).toBe(200);
  expect((await finish()).status).toBe(200);
  for (const [method, path, body] of requests)
    expect([path, (await job.call(method, path, body)).status]).toEqual([path, 401]);
  expect((await rest()).status).toBe(401);
  expect((await job.call('GET', '/v3/jobs/J')).json.state).toBe('canceled');
  expect((await finish()).status).toBe(200);
  expect((await service.get(build)).json).toMatchObject({ state: 'passed', meta_data: {} });
});

test('a job pauses, resumes and stops its agent', async () => {
  const clock = movedClock();
  const { service } = await useRemoteBuild(
    'steps: [{ command: one }, { command: two }, { command: three }]',
    { clock },
  );
  const agent = await registerAgent(service);
  const finish = (job: RunningJob) => job.call('PUT', '/v3/jobs/J/finish', { exit_status: '0' });
  const one = await agent.take();
  const note = { note: 'lunch', timeout_in_minutes: 2 };
  expect((await one.call('POST', '/v3/pause', note)).status).toBe(204);
  await finish(one);
  expect(await agent.ping()).toEqual({ action: 'pause', message: 'lunch' });
  clock.move(120_000);
  const two = await agent.take();
  await two.call('POST', '/v3/pause', {});
  expect((await two.call('POST', '/v3/resume')).status).toBe(204);
  await finish(two);
  const three = await agent.take();
  expect((await three.call('POST', '/v3/stop', {})).status).toBe(204);
  expect((await three.call('GET', '/v3/jobs/J')).json.state).toBe('running');
  await three.call('POST', '/v3/stop', { force: true });
  expect((await three.call('GET', '/v3/jobs/J')).json.state).toBe('canceling');
  await finish(three);
  expect(await agent.ping()).toEqual({ action: 'disconnect' });
});

sampled.each([
  { timeout_in_minutes: 0 },
  { timeout_in_minutes: -1 },
  { timeout_in_minutes: 1e9 },
  { timeout_in_minutes: '2' },
  { note: 1 },
  { note: 'x'.repeat(1001) },
])('a pause of wrong members is refused: %#', async (body) => {
  const { service } = await useRemoteBuild(file);
  const agent = await registerAgent(service);
  const job = await agent.take();
  expect((await job.call('POST', '/v3/pause', body)).status).toBe(400);
});

test('a job dropped by its agent can return to the same agent', async () => {
  const clock = movedClock();
  const { service, build } = await useRemoteBuild(file, { clock });
  const agent = await registerAgent(service);
  await agent.take('accept');
  expect(await agent.ping()).toEqual({});
  clock.move(11_000);
  const job = await agent.take();
  await job.call('PUT', '/v3/jobs/J/finish', { exit_status: '0' });
  expect((await service.get(build)).json.state).toBe('passed');
});

test('a job given to another agent is closed to the previous one', async () => {
  const { service } = await useRemoteBuild(file);
  const [a, b] = [await registerAgent(service, 'a'), await registerAgent(service, 'b')];
  const before = await a.take('accept');
  await a.call('POST', '/v3/disconnect');
  const now = await b.take();
  expect(now.id).toBe(before.id);
  expect((await before.call('POST', '/v3/jobs/J/data/keys')).status).toBe(401);
  expect((await now.call('POST', '/v3/jobs/J/data/keys')).status).toBe(200);
});

test('no request of an agent reads the table of all connections, which grows with the agents', async () => {
  const readFile = vi.spyOn(promises, 'readFile');
  syncBuiltinESMExports();
  onTestFinished(() => {
    readFile.mockRestore();
    syncBuiltinESMExports();
  });
  const { service } = await useRemoteBuild(file);
  const job = await (await registerAgent(service)).take();
  await job.call('PUT', '/v3/jobs/J/finish', { exit_status: '0' });
  const read = readFile.mock.calls.map(([path]) => (typeof path === 'string' ? path : ''));
  expect(read).not.toEqual([]);
  expect(read.filter((path) => path.startsWith('/proc/'))).toEqual([]);
});
