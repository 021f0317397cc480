/** "Endpoints": each one responds as its row says, with a token that only has its scope. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart } from '../service/counterpart.ts';
import { scriptedRunner } from '../service/scripted-runner.ts';
import { misfits } from './readings.ts';

const org = '/v2/organizations/{org.slug}';
const pipeline = `${org}/pipelines/{pipeline.slug}`;
const build = `${pipeline}/builds/{number}`;
const job = `${pipeline}/builds/{build.number}/jobs/{job.id}`;
const annotations = `${pipeline}/builds/{build.number}/annotations`;

let service: Counterpart;
let rule: string;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  const file = "[{ command: 'exit 1', soft_fail: true }, block]";
  for (const slug of ['p', 'q']) await service.pipeline(slug, file);
  const value = { source_pipeline: 'p', target_pipeline: 'q' };
  const type = 'pipeline.artifacts_read.pipeline';
  rule = (await service.post('/v2/organizations/local/rules', { type, value })).json.uuid;
});

afterAll(() => service.close());

/** The path for a fresh build with one failed and one blocked job. */
async function addressOf(path: string, kind: string): Promise<string> {
  const builds = '/v2/organizations/local/pipelines/p/builds';
  const { json } = await service.post(builds, { commit: 'HEAD', branch: 'main' });
  const { jobs, number } = await service.settled(`${builds}/${json.number}`);
  const id = jobs.find((one) => one['type'] === kind)?.id ?? '';
  return path
    .replace('{org.slug}', 'local')
    .replace('{pipeline.slug}', 'p')
    .replace(/\{(build\.)?number\}/, String(number))
    .replace('{job.id}', id)
    .replace('{uuid}', rule);
}

const wanted = { commit: 'HEAD', branch: 'main' };
const ruleBody = {
  type: 'pipeline.trigger_build.pipeline',
  value: { source_pipeline: 'p', target_pipeline: 'q' },
};

interface Endpoint {
  readonly call: string;
  readonly scope: string;
  readonly status: number;
  /**
   * The type of the response, as named in the field tables; omitted if there is no response body.
   */
  readonly type?: string;
  readonly body?: object;
  readonly kind?: string;
}

const endpoints: readonly Endpoint[] = [
  { call: 'GET /v2/builds', scope: 'read_builds', status: 200, type: '[Build]' },
  { call: `GET ${org}/builds`, scope: 'read_builds', status: 200, type: '[Build]' },
  { call: `GET ${pipeline}/builds`, scope: 'read_builds', status: 200, type: '[Build]' },
  { call: `GET ${build}`, scope: 'read_builds', status: 200, type: 'Build' },
  {
    call: `POST ${pipeline}/builds`,
    scope: 'write_builds',
    status: 201,
    type: 'Build',
    body: wanted,
  },
  { call: `PUT ${build}/cancel`, scope: 'write_builds', status: 200, type: 'Build' },
  { call: `PUT ${build}/rebuild`, scope: 'write_builds', status: 200, type: 'Build' },
  { call: `PUT ${job}/retry`, scope: 'write_builds', status: 200, type: 'Job' },
  { call: `PUT ${job}/unblock`, scope: 'write_builds', status: 200, type: 'Job', kind: 'manual' },
  { call: `GET ${job}/log`, scope: 'read_build_logs', status: 200, type: 'Job log' },
  { call: `DELETE ${job}/log`, scope: 'write_build_logs', status: 204 },
  { call: `GET ${job}/env`, scope: 'read_job_env', status: 200, type: 'Job environment' },
  { call: `GET ${annotations}`, scope: 'read_builds', status: 200, type: '[Annotation]' },
  {
    call: `POST ${annotations}`,
    scope: 'write_builds',
    status: 201,
    type: 'Annotation',
    body: { body: 'x' },
  },
  { call: `GET ${org}/rules`, scope: 'read_rules', status: 200, type: '[Rule]' },
  { call: `GET ${org}/rules/{uuid}`, scope: 'read_rules', status: 200, type: 'Rule' },
  { call: `POST ${org}/rules`, scope: 'write_rules', status: 201, type: 'Rule', body: ruleBody },
  { call: `DELETE ${org}/rules/{uuid}`, scope: 'write_rules', status: 204 },
  {
    call: 'GET /v2/organizations',
    scope: 'read_organizations',
    status: 200,
    type: '[Organization]',
  },
  { call: `GET ${org}`, scope: 'read_organizations', status: 200, type: 'Organization' },
  { call: `GET ${org}/emojis`, scope: '', status: 200, type: '[Emoji]' },
  { call: 'GET /v2/access-token', scope: '', status: 200, type: 'Access token' },
  { call: 'DELETE /v2/access-token', scope: '', status: 204 },
];

const named = endpoints.map((endpoint) => [endpoint.call, endpoint] as const);

test.each(named)('%s', async (call, { scope, status, type, body, kind = 'script' }) => {
  const [method = '', path = ''] = call.split(' ');
  const scopes = scope === '' ? [] : [scope];
  const { token } = await service.admin('POST', '/tokens', { scopes });
  const reply = await service.send(await addressOf(path, kind), { method, body, token });
  expect(reply.status).toBe(status);
  if (type === undefined) expect(reply.text).toBe('');
  else expect(misfits(reply.json, type).filter((one) => !one.startsWith('Pipeline'))).toEqual([]);
});

test('GET {agent_url}/v3/metrics', async () => {
  const headers = { authorization: `Token ${service.agentToken}` };
  const reply = await service.get('/v3/metrics', { token: null, headers });
  expect(reply.status).toBe(200);
  expect(misfits(reply.json, 'Metrics')).toEqual([]);
});

test('POST {graphql_url}/v1', async () => {
  const { token } = await service.admin('POST', '/tokens', { scopes: ['graphql'] });
  const headers = { 'content-type': 'application/json' };
  const body = { query: '{ viewer { user { name } } }' };
  const reply = await service.post('/v1', body, { token, headers });
  expect([reply.status, reply.json]).toEqual([
    200,
    { data: { viewer: { user: { name: 'Local user' } } } },
  ]);
});

test.each([
  ['REST', '/v1/builds'],
  ['REST', '/v3/builds'],
  ['REST', '/builds'],
  ['metrics', '/v2/metrics'],
  ['GraphQL', '/v2'],
])('%s has its version in the path: not %s', async (_, path) => {
  expect((await service.get(path)).status).toBe(404);
});

test('a build is addressed by its number, and here by its id too', async () => {
  const path = await addressOf(build, 'script');
  const { json } = await service.get(path);
  expect(json.url).toBe(service.url + path);
  const reply = await service.get(path.replace(/\d+$/, json.id));
  expect([reply.status, reply.json]).toEqual([200, json]);
});
