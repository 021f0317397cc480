/** "Endpoints": each member of each request body and its effect. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart, type Wire } from '../service/counterpart.ts';
import { scriptedRunner } from '../service/scripted-runner.ts';

let service: Counterpart;
let path: string;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  const file =
    "[{ command: 'true' }, { block: b, fields: [{ text: T, key: name, required: false }] }]";
  path = await service.pipeline('p', file);
  await service.pipeline('q', file);
  const settings = { branch_configuration: '!closed' };
  await service.admin('PATCH', '/organizations/local/pipelines/p', settings);
});

afterAll(() => service.close());

/** Creates a build from this body, or from it and the required members. */
async function create(body: object, whole = false): Promise<[number, Wire]> {
  const needed = whole ? {} : { commit: 'HEAD', branch: 'main' };
  const { status, json } = await service.post(`${path}/builds`, { ...needed, ...body });
  return [status, json];
}

test.each<[string, object, object]>([
  ['commit', { commit: 'v1.0' }, { commit: 'v1.0' }],
  ['branch', { branch: 'topic/x' }, { branch: 'topic/x' }],
  ['author', { author: { name: 'A', email: 'a@x' } }, { author: { name: 'A', email: 'a@x' } }],
  ['author left out', {}, { author: { name: 'Local user', email: 'local@localhost' } }],
  ['env', { env: { A: 'b' } }, { env: { A: 'b' } }],
  ['env left out', {}, { env: {} }],
  [
    'ignore_pipeline_branch_filters',
    { branch: 'closed', ignore_pipeline_branch_filters: true },
    { branch: 'closed' },
  ],
  ['message', { message: 'm' }, { message: 'm' }],
  ['meta_data', { meta_data: { k: 'v' } }, { meta_data: { k: 'v' } }],
  ['meta_data left out', {}, { meta_data: {} }],
  [
    'pull_request_base_branch',
    { pull_request_id: 1, pull_request_base_branch: 'base' },
    { pull_request: { base: 'base' } },
  ],
  ['pull_request_id', { pull_request_id: 12 }, { pull_request: { id: '12' } }],
  [
    'pull_request_repository',
    { pull_request_id: 1, pull_request_repository: 'git://r' },
    { pull_request: { repository: 'git://r' } },
  ],
])('create a build: %s', async (_, body, expected) => {
  const [status, build] = await create(body);
  expect(status).toBe(201);
  expect(build).toMatchObject(expected);
});

test.each(['commit', 'branch'])('create a build: %s is required', async (member) => {
  const other = member === 'commit' ? { branch: 'main' } : { commit: 'HEAD' };
  expect(await create(other, true)).toMatchObject([
    422,
    { message: 'Validation Failed', errors: [{ field: member, code: 'missing' }] },
  ]);
});

test('create a build: ignore_pipeline_branch_filters left out', async () => {
  expect(await create({ branch: 'closed' })).toMatchObject([422, {}]);
});

/** The path of a new build's block step job. */
async function blocked(): Promise<[build: string, job: string]> {
  const [, { number }] = await create({});
  const build = `${path}/builds/${number}`;
  const { jobs } = await service.settled(build);
  return [build, `${build}/jobs/${jobs[1]?.id ?? ''}`];
}

test('unblock: unblocker', async () => {
  const user = await service.admin('POST', '/users', { name: 'Ann', email: 'ann@x' });
  const [, job] = await blocked();
  const { json } = await service.put(`${job}/unblock`, { unblocker: user.id });
  expect(json['unblocked_by']).toMatchObject({ id: user.id });
});

test('unblock: unblocker left out', async () => {
  const [, job] = await blocked();
  const { json } = await service.put(`${job}/unblock`, {});
  expect(json['unblocked_by']).toMatchObject({ name: 'Local user' });
});

test('unblock: fields', async () => {
  const [build, job] = await blocked();
  const { status } = await service.put(`${job}/unblock`, { fields: { name: 'n' } });
  expect(status).toBe(200);
  expect((await service.get(build)).json['meta_data']).toEqual({ name: 'n' });
});

test('unblock: no body', async () => {
  const [, job] = await blocked();
  const { json } = await service.put(`${job}/unblock`);
  expect(json).toMatchObject({ state: 'unblocked', unblockable: false });
});

test.each(['cancel', 'rebuild'])('%s: no body', async (action) => {
  const [build] = await blocked();
  expect((await service.put(`${build}/${action}`)).status).toBe(200);
});

test('retry: no body', async () => {
  const failing = await service.pipeline('failing', "[{ command: 'exit 1' }]");
  await service.post(`${failing}/builds`, { commit: 'HEAD', branch: 'main' });
  const { jobs } = await service.settled(`${failing}/builds/1`);
  const reply = await service.put(`${failing}/builds/1/jobs/${jobs[0]?.id ?? ''}/retry`);
  expect([reply.status, reply.json.state]).toEqual([200, 'scheduled']);
});

test.each<[string, object, object]>([
  ['body in Markdown', { body: '**b**' }, { body_html: '<p><strong>b</strong></p>' }],
  ['body in HTML', { body: '<p>b</p>' }, { body_html: '<p>b</p>' }],
  ['context', { body: 'x', context: 'lint' }, { context: 'lint' }],
  ['style success', { body: 'x', style: 'success' }, { style: 'success' }],
  ['style info', { body: 'x', style: 'info' }, { style: 'info' }],
  ['style warning', { body: 'x', style: 'warning' }, { style: 'warning' }],
  ['style error', { body: 'x', style: 'error' }, { style: 'error' }],
  ['priority 1', { body: 'x', priority: 1 }, { priority: 1 }],
  ['priority 10', { body: 'x', priority: 10 }, { priority: 10 }],
])('annotate: %s', async (_, body, expected) => {
  const [build] = await blocked();
  const { status, json } = await service.post(`${build}/annotations`, body);
  expect(status).toBe(201);
  expect(json).toMatchObject(expected);
});

test.each([
  [true, '<p>a\nb</p>'],
  [false, '<p>b</p>'],
])('annotate: append %s', async (append, html) => {
  const [build] = await blocked();
  await service.post(`${build}/annotations`, { body: 'a', context: 'c' });
  const { json } = await service.post(`${build}/annotations`, { body: 'b', context: 'c', append });
  expect(json.body_html).toBe(html);
});

test('create a rule: value.source_pipeline_uuid and value.target_pipeline_uuid', async () => {
  const idOf = async (slug: string): Promise<string> =>
    (await service.admin('GET', `/organizations/local/pipelines/${slug}`)).id;
  const [source, target] = [await idOf('p'), await idOf('q')];
  const value = { source_pipeline_uuid: source, target_pipeline_uuid: target };
  const type = 'pipeline.trigger_build.pipeline';
  const { status, json } = await service.post('/v2/organizations/local/rules', { type, value });
  expect(status).toBe(201);
  expect(json).toMatchObject({ type, source_uuid: source, target_uuid: target });
});

test.each([
  ['type', { value: {} }],
  ['value', { type: 'pipeline.trigger_build.pipeline' }],
])('create a rule: %s is required', async (field, body) => {
  const reply = await service.post('/v2/organizations/local/rules', body);
  expect(reply.status).toBe(422);
  expect(reply.json['errors']).toMatchObject([{ field }]);
});
