import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart } from './counterpart.ts';
import { scriptedRunner, type ScriptedRunner } from './scripted-runner.ts';

const rules = '/v2/organizations/local/rules';
const trigger = 'pipeline.trigger_build.pipeline';

let service: Counterpart;
let runner: ScriptedRunner;
let source: string;
let target: string;

beforeAll(async () => {
  runner = scriptedRunner();
  service = await createCounterpart({ runner });
  const file = `
steps:
  - { command: one }
  - { command: two, agents: { queue: big } }
  - { command: three }
  - wait
  - { command: four }
`;
  for (const slug of ['source', 'target']) await service.pipeline(slug, file);
  source = (await service.admin('GET', '/organizations/local/pipelines/source')).id;
  target = (await service.admin('GET', '/organizations/local/pipelines/target')).id;
});

afterAll(() => service.close());

test('creates, lists, reads and deletes a rule', async () => {
  const value = { source_pipeline_uuid: source, target_pipeline_uuid: target };
  const made = await service.post(rules, { type: trigger, value });
  expect(made.status).toBe(201);
  const { uuid } = made.json;
  expect(made.json).toMatchObject({
    type: trigger,
    source_type: 'pipeline',
    source_uuid: source,
    target_type: 'pipeline',
    target_uuid: target,
    effect: 'allow',
    action: 'trigger_build',
    url: `${service.url}${rules}/${uuid}`,
    created_by: { name: 'Local user' },
  });
  expect((await service.get(rules)).list).toEqual([made.json]);
  expect((await service.get(`${rules}/${uuid}`)).json).toEqual(made.json);
  const twin = await service.post(rules, { type: trigger, value });
  expect([twin.status, twin.json.message]).toEqual([422, 'This rule already exists']);
  const gone = await service.delete(`${rules}/${uuid}`);
  expect([gone.status, gone.text]).toEqual([204, '']);
  expect((await service.delete(`${rules}/${uuid}`)).status).toBe(404);
});

test('the newer form of a rule names pipelines by UUID or slug', async () => {
  const value = { source_pipeline: 'source', target_pipeline: target };
  const type = 'pipeline.artifacts_read.pipeline';
  const { json } = await service.post(rules, { type, value });
  expect(json).toMatchObject({
    source_uuid: source,
    target_uuid: target,
    action: 'artifacts_read',
  });
  await service.delete(`${rules}/${json.uuid}`);
});

test.each<[object, string]>([
  [{}, 'Validation Failed'],
  [{ type: trigger }, 'Validation Failed'],
  [{ type: trigger, value: 'x' }, 'Validation Failed'],
  [
    { type: 'pipeline.read.pipeline', value: {} },
    'Unknown rule type "pipeline.read.pipeline" (pipeline.trigger_build.pipeline, pipeline.artifacts_read.pipeline)',
  ],
  [{ type: trigger, value: {} }, 'source_pipeline_uuid is missing from the value of the rule'],
  [
    { type: trigger, value: { source_pipeline: 'source', target_pipeline: 'none' } },
    'The target pipeline none does not exist in this organization',
  ],
])('rejects the rule %j', async (body, message) => {
  const reply = await service.post(rules, body);
  expect([reply.status, reply.json.message]).toEqual([422, message]);
});

test('a rule whose value is not an object has one problem', async () => {
  const { json } = await service.post(rules, { type: trigger, value: 'x' });
  expect(json.errors).toEqual([
    { field: 'value', code: 'invalid', message: 'value must be an object' },
  ]);
});

test('lists rules in pages', async () => {
  const pair = { source_pipeline: 'source', target_pipeline: 'target' };
  for (const type of [trigger, 'pipeline.artifacts_read.pipeline'])
    await service.post(rules, { type, value: pair });
  const reply = await service.get(`${rules}?per_page=1`);
  expect(reply.list.map((rule) => rule['type'])).toEqual([trigger]);
  expect(reply.headers['link']).toContain('page=2>; rel="next"');
});

test("emojis are a standard set and the organization's own", async () => {
  const own = { name: 'cictl', url: 'https://x.example/c.png', aliases: ['tool'] };
  await service.admin('POST', '/organizations/local/emojis', own);
  await service.admin('POST', '/organizations/local/emojis', { ...own, name: 'bare', aliases: [] });
  const { list, headers } = await service.get('/v2/organizations/local/emojis?per_page=1');
  expect(headers['link']).toBeUndefined();
  expect(list.length).toBeGreaterThan(1500);
  const named = new Map(list.map((emoji) => [emoji.name, emoji]));
  expect(named.get('tada')).toEqual({ name: 'tada', url: `${service.url}/emojis/1f389.svg` });
  expect(named.get('+1')).toMatchObject({ aliases: ['thumbsup'] });
  expect(named.get('cictl')).toEqual(own);
  expect(named.get('bare')).toEqual({ name: 'bare', url: own.url });
  expect(list.every(({ name }) => /^[\w+-]+$/.test(name))).toBe(true);
});

test('an organization has its URLs', async () => {
  const { json } = await service.get('/v2/organizations/local');
  const url = `${service.url}/v2/organizations/local`;
  expect(json).toMatchObject({
    slug: 'local',
    name: 'Local',
    url,
    pipelines_url: `${url}/pipelines`,
    agents_url: `${url}/agents`,
    emojis_url: `${url}/emojis`,
    graphql_id: Buffer.from(`Organization---${json.id}`).toString('base64'),
  });
});

test('metrics count slots and jobs by queue', async () => {
  const path = '/v2/organizations/local/pipelines/source/builds';
  const headers = { authorization: `Token ${service.agentToken}` };
  const look = (address = '/v3/metrics') => service.get(address, { token: null, headers });
  expect((await look()).json).toMatchObject({
    agents: { idle: 2, busy: 0, total: 2, queues: { default: { idle: 2, busy: 0, total: 2 } } },
    jobs: { scheduled: 0, running: 0, waiting: 0, total: 0 },
    organization: { slug: 'local' },
  });
  await service.post(path, { commit: 'HEAD', branch: 'main' });
  await service.until(`${path}/1`, ({ jobs }) => jobs[1]?.state === 'running');
  const reply = await look();
  expect(reply.headers['buildkite-agent-metrics-poll-duration']).toBe('10');
  expect(reply.json).toMatchObject({
    agents: { idle: 0, busy: 2, total: 2 },
    jobs: {
      scheduled: 1,
      running: 2,
      waiting: 1,
      total: 4,
      queues: {
        default: { scheduled: 1, running: 1, waiting: 1, total: 3 },
        big: { scheduled: 0, running: 1, waiting: 0, total: 1 },
      },
    },
  });
  expect((await look('/v3/metrics/queue?name=big')).json).toMatchObject({ jobs: { running: 1 } });
  expect((await look('/v3/metrics/queue?name=unused')).json).toMatchObject({
    agents: { idle: 0, busy: 0, total: 0 },
    jobs: { scheduled: 0, running: 0, waiting: 0, total: 0 },
  });
  for (const authorization of [
    'Token nobody',
    `Bearer ${service.agentToken}`,
    `Token ${service.token}`,
  ])
    expect(
      (await service.get('/v3/metrics', { token: null, headers: { authorization } })).status,
    ).toBe(401);
});
