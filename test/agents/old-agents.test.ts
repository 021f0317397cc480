/**
 * If an old agent does not support a feature, the job fails with a message instead of running
 * without it.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBuild } from '../../bench/agents/create-build.js';
import { useService } from '../support/service.ts';
import { offered, register } from './faults-agent.ts';

/** An agent of this version accepts a job that needs a secret. */
async function acceptedBy(version: string) {
  const service = await useService({ slots: 0 });
  await fetch(`${service.url}/local/v1/organizations/local/secrets/KEY`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${service.adminToken}` },
    body: JSON.stringify({ value: 'open-sesame' }),
  });
  const folder = join(service.home.root, 'build');
  await mkdir(folder);
  const step = { command: 'true', secrets: { MINE: 'KEY' } };
  const build = await createBuild(service, folder, [step]);
  const agent = await register(service, { version });
  const id = await offered(agent);
  const { status, text } = await agent.call('PUT', `/jobs/${id}/accept`);
  const { jobs } = await build.read();
  const { state, started_at: startedAt } = jobs[0] ?? {};
  return { status, text, state, startedAt, log: () => build.log(id) };
}

test.each(['3.90.0', '3.105.2'])('%s gets no job that needs secrets: it fails', async (version) => {
  const { status, state, startedAt, log } = await acceptedBy(version);
  expect([status, state]).toEqual([422, 'failed']);
  // Viewers assume that a job that never started has no log.
  expect(startedAt).toEqual(expect.any(String));
  expect(await log()).toContain(`agent version ${version} does not support secrets of steps (KEY)`);
  expect(await log()).toContain('buildkite-agent secret get');
});

test.each(['3.106.0', '4.0.0-beta.15', 'devel'])('%s fetches them itself', async (version) => {
  const { status, text, state } = await acceptedBy(version);
  expect([status, state]).toEqual([200, 'accepted']);
  expect(text).toContain('"secrets":[{"key":"KEY","environment_variable":"MINE"}]');
  expect(text).not.toContain('open-sesame');
});
