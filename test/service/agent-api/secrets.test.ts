/** Secrets of the service: given to jobs on request, and redacted from what the jobs produce. */
import { expect, test } from 'vitest';
import { registerAgent, useRemoteBuild } from './remote-jobs.ts';
import type { RunningJob } from './running-jobs.ts';

const get = (job: RunningJob, key: string) => job.call('GET', `/v3/jobs/J/secrets?key=${key}`);

const kept = async (job: RunningJob, value: string): Promise<unknown> => {
  await job.call('POST', '/v3/jobs/J/data/set', { key: 'k', value });
  return (await job.call('POST', '/v3/jobs/J/data/get', { key: 'k' })).json['value'];
};

async function useJob(file: string) {
  const { service } = await useRemoteBuild(file);
  const put = (key: string, value: string) =>
    service.admin('PUT', `/organizations/local/secrets/${key}`, { value });
  await put('NPM_TOKEN', 'correct-horse');
  await put('STAGE', 'production');
  return (await registerAgent(service)).take();
}

test('a job gets the secret it asks for, ignoring the case of its name', async () => {
  const job = await useJob('steps: [{ command: one }]');
  const reply = await get(job, 'npm_token');
  expect([reply.status, reply.json]).toEqual([
    200,
    { key: 'NPM_TOKEN', value: 'correct-horse', uuid: expect.any(String) as string },
  ]);
  expect((await get(job, 'NOPE')).status).toBe(404);
  expect((await get(job, '')).status).toBe(404);
});

test('requested secrets are not stored with the build, and other values are plain words', async () => {
  const job = await useJob('steps: [{ command: one }]');
  await get(job, 'npm_token');
  const text = 'correct-horse in production';
  expect(await kept(job, text)).toBe('[REDACTED] in production');
  await job.call('POST', '/v3/jobs/J/annotations', { body: text });
  await job.call('PUT', '/v3/steps/S', { attribute: 'label', value: text });
  const label = await job.call('POST', '/v3/steps/S/export', { attribute: 'label' });
  expect(label.json['output']).toBe('[REDACTED] in production');
});

test('a secret named by a step is not stored with the build either', async () => {
  const job = await useJob('steps: [{ command: one }]');
  const steps = [{ command: 'two', secrets: ['stage'] }];
  await job.call('POST', '/v3/jobs/J/pipelines', { uuid: 'u', pipeline: { steps } });
  expect(await kept(job, 'in production')).toBe('in [REDACTED]');
});
