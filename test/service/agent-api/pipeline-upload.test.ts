/** `pipeline upload` as sent by agents: repeated until there is a response, but applied once. */
import { expect, test } from 'vitest';
import { useRunningJobs, type RunningJob } from './running-jobs.ts';

const file = 'steps: [{ command: first }, wait, { command: last }]';
const steps = [{ command: 'added', key: 'added' }];

const upload = (job: RunningJob, body: object) =>
  job.call('POST', '/v3/jobs/J/pipelines?async=true', body, {
    'x-buildkite-backoff-sequence': '0',
  });

const commandsOf = async ({ service, build }: Awaited<ReturnType<typeof useRunningJobs>>) =>
  (await service.get(build)).json.jobs.map((job) => job['command']);

test('applies an upload repeated with its uuid once, even much later', async () => {
  const running = await useRunningJobs(file);
  const job = running.job('first');
  const body = { uuid: 'u-1', pipeline: { steps } };
  const replies = await Promise.all([upload(job, body), upload(job, body)]);
  replies.push(await upload(job, body));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await commandsOf(running)).toEqual(['first', 'added', '', 'last']);
});

test('another uuid is another upload, whose keys already exist', async () => {
  const running = await useRunningJobs(file);
  const job = running.job('first');
  await upload(job, { uuid: 'u-1', pipeline: { steps } });
  const second = await upload(job, { uuid: 'u-2', pipeline: { steps } });
  expect([second.status, second.json.message]).toEqual([
    422,
    'The key "added" already exists in this build',
  ]);
});

test('a repeated replacement does not remove later steps', async () => {
  const running = await useRunningJobs(file);
  const job = running.job('first');
  const body = { uuid: 'u-1', replace: true, pipeline: { steps } };
  await upload(job, body);
  await upload(job, { uuid: 'u-2', pipeline: { steps: [{ command: 'later' }] } });
  expect((await upload(job, body)).status).toBe(200);
  expect((await commandsOf(running)).sort()).toEqual(['added', 'first', 'later']);
});

test('a rejected upload leaves nothing, and its uuid can be used again', async () => {
  const running = await useRunningJobs(file);
  const job = running.job('first');
  const bad = await upload(job, { uuid: 'u-1', pipeline: { steps: [{ comand: 'x' }] } });
  expect(bad.status).toBe(422);
  expect((await upload(job, { uuid: 'u-1', pipeline: { steps } })).status).toBe(200);
  expect(await commandsOf(running)).toEqual(['first', 'added', '', 'last']);
});
