/** The code of a build that remote agents receive, and who can read it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSnapshots } from '../../../src/service/snapshots/snapshots.ts';
import { createRepository } from '../../support/git-repository.ts';
import { useCounterpart, type Counterpart } from '../counterpart.ts';
import { registerAgent, useRemoteBuild } from './remote-jobs.ts';

/** The content of a file in the snapshot of a build. */
async function inSnapshot({ dataDir }: Counterpart, buildId: string, file: string) {
  const snapshots = await openSnapshots(dataDir);
  await expect.poll(() => snapshots.snapshotOf(buildId)).toBeDefined();
  const repository = snapshots.repository(buildId);
  return execFileSync('git', ['-C', repository, 'show', `main:${file}`], { encoding: 'utf8' });
}

/** A directory with a pipeline, and a build of it for agents. */
async function useRun(members: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'cictl-code-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { commit } = createRepository(folder);
  commit({ '.buildkite/pipeline.yml': 'steps: [{ command: a }]', file: 'before\n' });
  const service = await useCounterpart({ slots: 0 });
  const build = { commit: 'HEAD', branch: 'main', message: 'm', ...members };
  const workspace = 'commit' in members ? 'worktree' : 'inplace';
  const made = await service.admin('POST', '/runs', {
    ...{ folder, build, workspace, options: { runsOn: 'agents' } },
  });
  const path = `/v2/organizations/local/pipelines/${made.pipeline.slug}/builds/1`;
  return { folder, service, made, path };
}

test("a build for agents has the directory's files from its creation", async () => {
  const { folder, service, made } = await useRun();
  expect(await inSnapshot(service, made.id, 'file')).toBe('before\n');
  writeFileSync(join(folder, 'file'), 'after\n');
  const agent = await registerAgent(service);
  await agent.take();
  expect(await inSnapshot(service, made.id, 'file')).toBe('before\n');
});

test('its environment is shown as the agent gets it, without a token', async () => {
  const file = 'steps: [{ command: a }, { command: b, checkout: { skip: true } }]';
  const { service, build } = await useRemoteBuild(file);
  const agent = await registerAgent(service, 'raw-1');
  const first = await agent.take();
  const { json, text } = await service.get(`${build}/jobs/${first.id}/env`);
  expect(json.env).toMatchObject({
    BUILDKITE_REPO: `${service.url}/v3/snapshots/${first.buildId}.git`,
    BUILDKITE_COMMIT: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
    BUILDKITE_AGENT_NAME: 'raw-1',
    BUILDKITE_AGENT_META_DATA_QUEUE: 'default',
  });
  expect(json.env).not.toHaveProperty('BUILDKITE_BUILD_CHECKOUT_PATH');
  expect(text).not.toContain(first.token);
  await first.call('PUT', '/v3/jobs/J/finish', { exit_status: '0' });
  const second = await agent.take();
  const { json: other } = await service.get(`${build}/jobs/${second.id}/env`);
  expect(other.env).toMatchObject({ BUILDKITE_SKIP_CHECKOUT: 'true' });
  const query = `{ job(uuid: "${second.id}") { ... on JobTypeCommand { env } } }`;
  const { json: graph } = await service.post('/v1', { query });
  expect(JSON.stringify(graph)).toContain('BUILDKITE_SKIP_CHECKOUT=true');
});

test('unavailable code fails the job, with the reason in the log', async () => {
  const { service, path, folder } = await useRun({ commit: 'nonsense' });
  const agent = await registerAgent(service);
  const reason = `commit nonsense does not exist in ${folder}`;
  await expect(agent.take()).rejects.toThrow(reason);
  const { state, jobs } = await service.settled(path);
  expect(state).toBe('failed');
  const log = await service.get(`${path}/jobs/${jobs[0]?.id ?? ''}/log`);
  expect(log.json.content).toContain(`The job could not be started: ${reason}`);
});

test("an agent that finds a build's commit reports it", async () => {
  const { service, folder } = await useRun();
  const origin = mkdtempSync(join(tmpdir(), 'cictl-code-'));
  onTestFinished(() => rmSync(origin, { recursive: true, force: true }));
  createRepository(folder).git('remote', 'add', 'origin', origin);
  const builds = '/v2/organizations/local/pipelines/p/builds';
  await service.admin('POST', '/organizations/local/pipelines', { folder, slug: 'p' });
  const body = { commit: 'only-there', branch: 'main', message: '' };
  const { id } = (await service.post(builds, body)).json;
  const agent = await registerAgent(service);
  let job = await agent.take();
  while (job.buildId !== id) {
    await job.call('PUT', '/v3/jobs/J/finish', { exit_status: '0' });
    job = await agent.take();
  }
  const sha = 'a'.repeat(40);
  const value = `commit ${sha}\nabbrev-commit aaaaaaa\nAuthor: Bea <bea@x>\n\n    Fix it\n`;
  await job.call('POST', '/v3/jobs/J/data/set', { key: 'buildkite:git:commit', value });
  const found = { commit: sha, message: 'Fix it', author: { name: 'Bea', email: 'bea@x' } };
  expect((await service.get(`${builds}/1`)).json).toMatchObject(found);
  expect((await service.get(`${builds}?commit=${sha}`)).list).toHaveLength(1);
  expect((await service.get(`${builds}?commit=only-there`)).list).toHaveLength(0);
});
