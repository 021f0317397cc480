/** `header_times`, as sent by agents that write no time marks into their logs. */
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { useRunningJobs, type RunningJob } from './running-jobs.ts';

const say = (job: RunningJob, times: unknown) =>
  job.call('POST', '/v3/jobs/J/header_times', { header_times: times });

async function useLog(text: string) {
  const { service, runner, build, job } = await useRunningJobs('steps: [{ command: one }]');
  const one = job('one');
  await writeFile(runner.works[0]?.logFile ?? '', text);
  const times = async (): Promise<string | undefined> =>
    /"header_times":(.*)\}/.exec((await service.get(`${build}/jobs/${one.id}/log`)).text)?.[1];
  return { one, times };
}

test('section times are those the agent reports, to the nanosecond, in order', async () => {
  const { one, times } = await useLog('--- a\n--- b\n--- c\n');
  expect((await say(one, { 1: '2026-11-21T20:30:32.5Z' })).status).toBe(204);
  const others = { 0: '2026-11-21T20:30:31.095792353Z', 2: '2026-11-21T21:30:33+01:00' };
  await say(one, others);
  await say(one, others);
  expect(await times()).toBe('[1795293031095792353,1795293032500000000,1795293033000000000]');
});

test('timestamps in the log give the same times', async () => {
  const { one, times } = await useLog('\n\x1b_bk;t=1795293031000\x07--- a\n');
  await say(one, { 0: '2026-11-21T20:30:32Z' });
  expect(await times()).toBe('[1795293031000000000]');
});

test.each([
  undefined,
  [],
  'x',
  { 0: 1 },
  { 0: 'yesterday' },
  { 0: '1890-01-01T00:00:00Z' },
  { '-1': '2026-11-21T20:30:32Z' },
  { x: '2026-11-21T20:30:32Z' },
  { 1000000: '2026-11-21T20:30:32Z' },
])('%j are not times, and nothing is stored', async (wrong) => {
  const { one, times } = await useLog('--- a\n');
  expect((await say(one, wrong)).status).toBe(400);
  expect(await times()).toBe('[]');
});
