/** Agents belong to one organization. Others neither list them nor wait for them. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBuild } from '../../bench/agents/create-build.js';
import { useService, type TestService } from '../support/service.ts';
import { register } from './faults-agent.ts';

test('slots serve every queue even if another organization has agents', async () => {
  const service = await useService({ slots: 1 });
  await register({ ...service, agentToken: await tokenOfAcme(service) });
  const folder = join(service.home.root, 'build');
  await mkdir(folder);
  const build = await createBuild(service, folder, [{ command: 'true', agents: { queue: 'gpu' } }]);
  const { jobs } = (await build.read()) as { jobs: readonly object[] };
  expect(jobs[0]).not.toHaveProperty('waiting_for_agents');
  const state = async () => ((await build.read()) as { state: string }).state;
  await expect.poll(state, { timeout: 10_000 }).toBe('passed');
});

/** Creates a registration token of another organization. */
async function tokenOfAcme({ url, adminToken }: TestService): Promise<string> {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  const options = { method: 'POST', headers, body: JSON.stringify({ slug: 'acme' }) };
  const response = await fetch(`${url}/local/v1/organizations`, options);
  return ((await response.json()) as { agent_token: string }).agent_token;
}
