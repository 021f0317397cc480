/** What clients of the public service read beyond the specification. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createCounterpart, useCounterpart, type Counterpart, type Wire } from './counterpart.ts';
import { scriptedRunner, type ScriptedRunner } from './scripted-runner.ts';

const org = '/v2/organizations/local';
const pipeline = `${org}/pipelines/p`;
const build = `${pipeline}/builds/1`;
const file = "[{ command: 'exit 1', key: a }, { command: two, key: b }, { block: go, key: c }]";

let service: Counterpart;
let runner: ScriptedRunner;
let jobs: Wire[];

beforeAll(async () => {
  runner = scriptedRunner();
  service = await createCounterpart({ runner });
  await service.pipeline('p', file);
  await service.pipeline('other', '[{ command: x }]');
  await service.post(`${pipeline}/builds`, { commit: 'HEAD', branch: 'main' });
  await service.until(build, (one) => one.jobs[1]?.state === 'running');
  runner.finish('exit 1', { exitStatus: 1 });
  const failing = await service.until(build, ({ state }) => state === 'failing');
  await service.put(`${build}/jobs/${failing.jobs[0]?.id ?? ''}/retry`);
  await service.until(build, (one) => one.jobs[0]?.state === 'running');
  ({ jobs } = (await service.get(`${build}?include_retried_jobs=true`)).json);
});

afterAll(() => service.close());

const items = (reply: { json: Wire }): Wire[] => reply.json['items'] as Wire[];
const links = (reply: { json: Wire }): Record<string, string> =>
  reply.json['links'] as Record<string, string>;

test('returns the user of the token', async () => {
  const { json } = await service.get('/v2/user');
  const token = await service.get('/v2/access-token');
  expect(json).toEqual(token.json['user']);
  expect(json).toMatchObject({ name: 'Local user', email: 'local@localhost' });
});

test('lists pipelines by name and repository, in pages', async () => {
  const names = async (query: string): Promise<string[]> =>
    (await service.get(`${org}/pipelines${query}`)).list.map(({ slug }) => slug);
  expect(await names('')).toEqual(['p', 'other']);
  expect(await names('?name=OTH')).toEqual(['other']);
  expect(await names(`?repository=${service.dataDir.toUpperCase()}`)).toEqual(['p', 'other']);
  expect(await names('?repository=nowhere')).toEqual([]);
  expect(await names('?per_page=1&page=2')).toEqual(['other']);
  const { headers } = await service.get(`${org}/pipelines?per_page=1`);
  expect(headers['link']).toContain('rel="next"');
});

test('a pipeline has the members of the public API', async () => {
  const { json } = await service.get(pipeline);
  const { list } = await service.get(`${org}/pipelines`);
  expect(json).toMatchObject({
    slug: 'p',
    description: null,
    cluster_id: null,
    archived_at: null,
    visibility: 'private',
    tags: null,
    env: {},
    steps: [],
    configuration: file,
    provider: { settings: { trigger_mode: 'code' } },
    running_jobs_count: 2,
  });
  expect(json['created_at']).toMatch(/ UTC$/);
  expect(list[0]).toEqual({ ...json, configuration: undefined, ...list[0] });
  const missing = await service.get(`${org}/pipelines/none`);
  expect([missing.status, missing.json.message]).toEqual([404, 'No pipeline found']);
});

test('there are no artifacts yet', async () => {
  const job = `/jobs/${jobs[0]?.id ?? ''}`;
  for (const path of [`${build}/artifacts`, `${build}${job}/artifacts`, `${org}${job}/artifacts`]) {
    const reply = await service.get(path);
    expect([reply.status, reply.list]).toEqual([200, []]);
    const one = await service.get(`${path}/00000000-0000-4000-8000-000000000000`);
    expect([one.status, one.json.message]).toEqual([
      404,
      path.startsWith(`${build}/art`) ? 'Not Found' : 'No artifact found',
    ]);
  }
  expect((await service.get(`${pipeline}/builds/9/artifacts`)).status).toBe(404);
});

test('lists the jobs of a build, all attempts unless excluded', async () => {
  const reply = await service.get(`${build}/jobs`);
  expect(items(reply)).toEqual(jobs);
  expect(links(reply)).toEqual({ self: `${service.url}${build}/jobs` });
  const newest = await service.get(`${build}/jobs?include_retried_jobs=false`);
  expect(items(newest)).toEqual(jobs.filter((job) => job['retried'] === false));
});

test.each([
  ['state[]=failed', ['a']],
  ['state[]=running&state[]=waiting', ['a', 'b', 'c']],
  ['state=scheduled', []],
  ['step_key=a', ['a', 'a']],
  ['step_key=none', []],
  ['group_key=g', []],
])('jobs by %s', async (query, keys) => {
  const reply = await service.get(`${build}/jobs?${query}`);
  expect(items(reply).map((job) => job['step_key'])).toEqual(keys);
});

test('lists jobs in pages, forward and backward', async () => {
  let address = `${build}/jobs?per_page=1&include_retried_jobs=true`;
  const seen: string[] = [];
  let last = '';
  for (;;) {
    const reply = await service.get(address);
    seen.push(...items(reply).map(({ id }) => id));
    const { next, prev } = links(reply);
    last = prev ?? '';
    if (next === undefined) break;
    address = next.slice(service.url.length);
  }
  expect(seen).toEqual(jobs.map(({ id }) => id));
  const before = await service.get(last.slice(service.url.length));
  expect(items(before).map(({ id }) => id)).toEqual([seen.at(-2)]);
});

test('a cursor stays valid when its job no longer matches', async () => {
  const [old, retry] = jobs;
  const reply = await service.get(
    `${build}/jobs?after=${old?.id ?? ''}&state[]=running&per_page=1`,
  );
  expect(items(reply).map(({ id }) => id)).toEqual([retry?.id]);
  expect(Object.keys(links(reply))).toEqual(['self', 'next']);
});

test.each(['state[]=great', 'per_page=0', 'per_page=x', 'after=zz', 'after=a&before=b'])(
  'rejects jobs by %s',
  async (query) => {
    const { status, json } = await service.get(`${build}/jobs?${query}`);
    expect(status).toBe(400);
    expect(json.message).not.toBe('');
  },
);

test('returns a job by its build or its id', async () => {
  for (const job of jobs) {
    for (const path of [`${build}/jobs/${job.id}`, `${org}/jobs/${job.id}`]) {
      const reply = await service.get(path);
      expect([reply.status, reply.json]).toEqual([200, job]);
    }
  }
  const none = await service.get(`${build}/jobs/none`);
  expect([none.status, none.json.message]).toEqual([404, 'No job found']);
  expect(jobs[0]).toMatchObject({
    build_url: `${service.url}${build}`,
    priority: { number: 0 },
    group_key: null,
    expired_at: null,
    retried_by: null,
  });
});

test('agents are the slots with their jobs', async () => {
  const { list } = await service.get(`${org}/agents`);
  expect(list.map(({ name }) => name)).toEqual(['local-1', 'local-2']);
  const agent = jobs[2]?.['agent'] as Wire;
  const { json } = await service.get(`${org}/agents/${agent.id}`);
  expect(list).toContainEqual(json);
  expect(json).toMatchObject({
    ...agent,
    connection_state: 'connected',
    paused: false,
    priority: null,
    meta_data: ['queue=default'],
    last_job_finished_at: null,
    job: { id: jobs[2]?.id, agent: null, command: 'two' },
  });
  const first = jobs[0]?.['agent'] as Wire;
  const other = await service.get(`${org}/agents/${first.id}`);
  expect(other.json['last_job_finished_at']).toBe(jobs[0]?.['finished_at']);
});

test.each([
  ['?name=local-2', ['local-2']],
  ['?hostname=localhost', ['local-1', 'local-2']],
  ['?hostname=elsewhere', []],
  ['?version=0.0.0-none', []],
  ['?per_page=1&page=2', ['local-2']],
])('agents by %s', async (query, names) => {
  const { list } = await service.get(`${org}/agents${query}`);
  expect(list.map(({ name }) => name)).toEqual(names);
});

test('does not show a job of another organization', async () => {
  await service.admin('POST', '/organizations', { slug: 'second' });
  const { token } = await service.admin('POST', '/tokens', { organizations: ['second'] });
  const { list } = await service.get('/v2/organizations/second/agents', { token });
  expect(list.map((agent) => agent['job'])).toEqual([null, null]);
});

test('an agent of an earlier service is still found by its jobs', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cictl-agents-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const options = { runner: scriptedRunner({ auto: true }), dataDir };
  const first = await createCounterpart(options);
  const path = await first.pipeline('p', '[{ command: one }]');
  await first.post(`${path}/builds`, { commit: 'HEAD', branch: 'main' });
  const { jobs: done } = await first.settled(`${path}/builds/1`);
  const agent = done[0]?.['agent'] as Wire;
  await first.close();
  const second = await useCounterpart(options);
  const { json } = await second.get(`${org}/agents/${agent.id}`);
  expect(json).toMatchObject({ id: agent.id, connection_state: 'disconnected', job: null });
  expect(json['last_job_finished_at']).toBe(done[0]?.['finished_at']);
  // Stored URLs with another port still work here.
  const { json: again } = await second.get(`${org}/pipelines/p`);
  expect((again as Wire['pipeline']).provider.webhook_url).toContain(
    `${second.url}/webhooks/local/`,
  );
});

test('there is no agent of another name', async () => {
  const { status, json } = await service.get(`${org}/agents/none`);
  expect([status, json.message]).toEqual([404, 'No agent found']);
});

test('deletes an annotation by its id', async () => {
  const path = `${build}/annotations`;
  const { json } = await service.post(path, { body: 'x' });
  expect(json['scope']).toBe('build');
  const gone = await service.delete(`${path}/${json.id}`);
  expect([gone.status, gone.text]).toEqual([204, '']);
  const again = await service.delete(`${path}/${json.id}`);
  expect([again.status, again.json.message]).toEqual([404, 'No annotation found']);
  expect((await service.get(path)).list).toEqual([]);
});

test('finds a build by its UUID too, on every path', async () => {
  const { json } = await service.get(build);
  const byId = `${pipeline}/builds/${json.id}`;
  const job = jobs[2]?.id ?? '';
  const paths = ['', '/jobs', '/artifacts', '/annotations', `/jobs/${job}`, `/jobs/${job}/env`];
  for (const rest of [...paths, `/jobs/${job}/log`])
    expect([rest, (await service.get(byId + rest)).status]).toEqual([rest, 200]);
  expect((await service.get(byId)).json).toEqual(json);
  expect((await service.get(`${pipeline}/builds/${json.id.toUpperCase()}`)).json).toEqual(json);
  const elsewhere = await service.get(`${org}/pipelines/other/builds/${json.id}`);
  expect([elsewhere.status, elsewhere.json.message]).toEqual([404, 'No build found']);
  const made = await service.put(`${byId}/rebuild`);
  expect(made.json['rebuilt_from']).toMatchObject({ id: json.id, number: 1 });
  expect((await service.put(`${pipeline}/builds/${made.json.id}/cancel`)).status).toBe(200);
});
