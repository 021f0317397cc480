/** "Timestamps": the meaning of each time of a build and of a job. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart, type Wire } from '../service/counterpart.ts';
import { scriptedRunner } from '../service/scripted-runner.ts';
import { tickingClock } from '../service/ticking-clock.ts';

/** When each action was performed. */
const at = {
  created: '2026-01-01T00:01',
  begun: '2026-01-01T00:02',
  ended: '2026-01-01T00:03',
  retried: '2026-01-01T00:04',
};

let service: Counterpart;
let build: Wire;
const jobs = new Map<string, Wire>();

beforeAll(async () => {
  const [clock, runner] = [tickingClock(), scriptedRunner()];
  const reach = (time: keyof typeof at): void => clock.set(`${at[time]}:00Z`);
  service = await createCounterpart({ clock, runner, slots: 1 });
  const other = await service.pipeline('other', '[{ command: other }]');
  const path = await service.pipeline('p', '[{ command: one }]');
  const wanted = { commit: 'HEAD', branch: 'main' };
  await service.post(`${other}/builds`, wanted);
  await service.until(`${other}/builds/1`, ({ state }) => state === 'running');

  reach('created');
  await service.post(`${path}/builds`, wanted);
  reach('begun');
  runner.finish('other');
  const running = ({ state }: Wire): boolean => state === 'running';
  await service.until(`${path}/builds/1`, running);
  reach('ended');
  runner.finish('one', { exitStatus: 1 });
  build = await service.settled(`${path}/builds/1`);
  const [job] = build.jobs;
  reach('retried');
  const retry = await service.put(`${path}/builds/1/jobs/${job?.id ?? ''}/retry`);
  jobs.set('job', job ?? expect.fail('there is no job')).set('retry', retry.json);
});

afterAll(() => service.close());

test.each<[string, keyof typeof at]>([
  ['created_at', 'created'],
  ['scheduled_at', 'created'],
  ['started_at', 'begun'],
  ['finished_at', 'ended'],
])('%s of a build is when it was %s', (member, time) => {
  expect(String(build[member]).slice(0, 16)).toBe(at[time]);
});

test.each<[string, string, keyof typeof at]>([
  ['created_at', 'job', 'created'],
  ['created_at', 'retry', 'retried'],
  // The build's time, which is earlier than the job.
  ['scheduled_at', 'retry', 'created'],
  ['scheduled_at', 'job', 'created'],
  ['runnable_at', 'job', 'created'],
  ['started_at', 'job', 'begun'],
  ['finished_at', 'job', 'ended'],
])('%s of a %s is when it was %s', (member, which, time) => {
  expect(String(jobs.get(which)?.[member]).slice(0, 16)).toBe(at[time]);
});
