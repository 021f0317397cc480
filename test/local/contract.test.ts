import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart, type Wire } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';
import { faults } from './shapes.ts';

let service: Counterpart;
const org = '/v2/organizations/local';
const count = 104;

const files = {
  plain:
    "steps: [{ label: l, key: k, command: 'true', agents: { queue: q } }, { command: 'exit 1' }]",
  soft: "steps: [{ command: 'exit 1', soft_fail: true }, wait, { command: 'x' }]",
  blocked: "steps: [{ command: 'true' }, { block: 'Go?' }, { command: 'x' }]",
  unblocked: 'steps: [block]',
};

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  const names = Object.keys(files) as (keyof typeof files)[];
  for (const name of names) await service.pipeline(name, files[name]);
  for (let index = 0; index < count; index++) {
    const name = names[index % names.length] ?? 'plain';
    await vary(name, index);
  }
});

afterAll(() => service.close());

/** A build that has or has not each of the members that may be left out. */
async function vary(name: keyof typeof files, index: number): Promise<void> {
  const builds = `${org}/pipelines/${name}/builds`;
  const { json } = await service.post(builds, {
    commit: 'HEAD',
    branch: `b${index % 5}`,
    ...(index % 3 === 0 && { message: `m${index}`, env: { A: 'b' } }),
    ...(index % 5 === 0 && { meta_data: { k: 'v' }, author: { name: 'n', email: 'e' } }),
    ...(index % 7 === 0 && { pull_request_id: index }),
  });
  const path = `${builds}/${json.number}`;
  if (index % 11 === 0) await service.put(`${path}/cancel`);
  const { jobs } = await service.settled(path);
  if (index % 13 === 0) await service.put(`${path}/rebuild`);
  const failed = jobs.find((job) => job.state === 'failed');
  if (failed && index % 2 === 0) await service.put(`${path}/jobs/${failed.id}/retry`);
  if (name === 'unblocked') await service.put(`${path}/jobs/${jobs[0]?.id ?? ''}/unblock`);
}

async function everyBuild(query = ''): Promise<Wire[]> {
  const pages = [1, 2].map((page) => service.get(`/v2/builds?per_page=100&page=${page}${query}`));
  return (await Promise.all(pages)).flatMap(({ list }) => list);
}

test('lists of builds', async () => {
  const builds = await everyBuild('&include_retried_jobs=true');
  expect(builds.length).toBeGreaterThan(count);
  expect(faults(builds, '[build]')).toEqual([]);
  const states = new Set(builds.map(({ state, blocked }) => (blocked ? 'blocked' : state)));
  expect([...states].sort()).toEqual(['blocked', 'canceled', 'failed', 'passed']);
});

test('single builds, whose pipeline has the other form of time', async () => {
  for (const { number, pipeline } of (await everyBuild()).slice(0, 20)) {
    const { json } = await service.get(`${org}/pipelines/${pipeline.slug}/builds/${number}`);
    expect(faults(json, 'build')).toEqual([]);
    expect(json.pipeline['created_at']).toMatch(/ UTC$/);
  }
});

test('jobs: a whole agent in a single build, a short one in lists', async () => {
  const builds = await everyBuild();
  const ran = builds.find(({ jobs }) => jobs[0]?.['agent']);
  const { pipeline, number } = ran ?? builds[0] ?? expect.fail('there are no builds');
  const { json } = await service.get(`${org}/pipelines/${pipeline.slug}/builds/${number}`);
  expect(Object.keys(ran?.jobs[0]?.['agent'] as object)).toEqual(['id', 'url', 'name']);
  expect(faults(json.jobs[0]?.['agent'], 'agent')).toEqual([]);
  expect(json.jobs[0]?.['agent']).toHaveProperty('hostname');
});

test('all that hangs on a build', async () => {
  const path = `${org}/pipelines/plain/builds/2`;
  const { json: build } = await service.get(path);
  const job = `${path}/jobs/${build.jobs[0]?.id ?? ''}`;
  expect(faults((await service.get(`${job}/log`)).json, 'log')).toEqual([]);
  expect(faults((await service.get(`${job}/env`)).json, 'environment')).toEqual([]);
  const made = await service.post(`${path}/annotations`, { body: 'x' });
  expect(faults(made.json, 'annotation')).toEqual([]);
  expect(faults((await service.get(`${path}/annotations`)).list, '[annotation]')).toEqual([]);
});

test('all that hangs on an organization', async () => {
  const value = { source_pipeline: 'plain', target_pipeline: 'soft' };
  const rule = { type: 'pipeline.trigger_build.pipeline', value };
  expect(faults((await service.post(`${org}/rules`, rule)).json, 'rule')).toEqual([]);
  expect(faults((await service.get(`${org}/rules`)).list, '[rule]')).toEqual([]);
  expect(faults((await service.get('/v2/organizations')).list, '[organization]')).toEqual([]);
  expect(faults((await service.get(org)).json, 'organization')).toEqual([]);
  expect(faults((await service.get(`${org}/emojis`)).list, '[emoji]')).toEqual([]);
  expect(faults((await service.get('/v2/access-token')).json, 'accessToken')).toEqual([]);
  const headers = { authorization: `Token ${service.agentToken}` };
  const metrics = await service.get('/v3/metrics', { token: null, headers });
  expect(faults(metrics.json, 'metrics')).toEqual([]);
});

test('identifiers are what they say', async () => {
  const builds = await everyBuild();
  expect(new Set(builds.map(({ id }) => id)).size).toBe(builds.length);
  for (const build of builds.slice(0, 10)) {
    const decoded = Buffer.from(String(build['graphql_id']), 'base64').toString();
    expect(decoded).toBe(`Build---${build.id}`);
    expect((await service.get(String(build['url']).slice(service.url.length))).json.id).toBe(
      build.id,
    );
  }
});
