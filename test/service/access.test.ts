import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, useCounterpart, type Counterpart } from './counterpart.ts';
import { scriptedRunner, type ScriptedRunner } from './scripted-runner.ts';
import { sampled } from '../support/full.ts';

const wanted = { commit: 'HEAD', branch: 'main' };
const rest = '/v2/organizations/local';
const build = `${rest}/pipelines/p/builds/1`;

let service: Counterpart;
let runner: ScriptedRunner;
let job: string;

beforeAll(async () => {
  runner = scriptedRunner();
  service = await createCounterpart({ runner });
  const path = await service.pipeline('p', "steps: [{ command: 'true' }]");
  await service.post(`${path}/builds`, wanted);
  const { jobs } = await service.until(build, ({ state }) => state === 'running');
  job = `${build}/jobs/${jobs[0]?.id ?? ''}`;
});

afterAll(() => service.close());

/** Every endpoint of the specification that requires a scope. */
const guarded: readonly [method: string, path: string, scope: string][] = [
  ['GET', '/v2/builds', 'read_builds'],
  ['GET', `${rest}/builds`, 'read_builds'],
  ['GET', `${rest}/pipelines/p/builds`, 'read_builds'],
  ['GET', build, 'read_builds'],
  ['POST', `${rest}/pipelines/p/builds`, 'write_builds'],
  ['PUT', `${build}/cancel`, 'write_builds'],
  ['PUT', `${build}/rebuild`, 'write_builds'],
  ['PUT', 'JOB/retry', 'write_builds'],
  ['PUT', 'JOB/unblock', 'write_builds'],
  ['GET', 'JOB/log', 'read_build_logs'],
  ['GET', 'JOB/log.txt', 'read_build_logs'],
  ['GET', 'JOB/log.html', 'read_build_logs'],
  ['DELETE', 'JOB/log', 'write_build_logs'],
  ['GET', 'JOB/env', 'read_job_env'],
  ['GET', 'JOB/env.txt', 'read_job_env'],
  ['GET', `${build}/annotations`, 'read_builds'],
  ['POST', `${build}/annotations`, 'write_builds'],
  ['GET', `${rest}/rules`, 'read_rules'],
  ['GET', `${rest}/rules/x`, 'read_rules'],
  ['POST', `${rest}/rules`, 'write_rules'],
  ['DELETE', `${rest}/rules/x`, 'write_rules'],
  ['GET', '/v2/organizations', 'read_organizations'],
  ['GET', rest, 'read_organizations'],
];

/** Endpoints beyond the specification, with the scopes of the public service. */
const beyond: typeof guarded = [
  ['GET', '/v2/user', 'read_user'],
  ['GET', `${rest}/pipelines`, 'read_pipelines'],
  ['GET', `${rest}/pipelines/p`, 'read_pipelines'],
  ['GET', `${build}/artifacts`, 'read_artifacts'],
  ['GET', 'JOB/artifacts', 'read_artifacts'],
  ['GET', 'JOB/artifacts/x', 'read_artifacts'],
  ['GET', `${build}/jobs`, 'read_builds'],
  ['GET', 'JOB', 'read_builds'],
  ['GET', `${rest}/agents`, 'read_agents'],
  ['GET', `${rest}/agents/x`, 'read_agents'],
  ['PUT', `${rest}/agents/x/stop`, 'write_agents'],
  ['PUT', `${rest}/agents/x/pause`, 'write_agents'],
  ['PUT', `${rest}/agents/x/resume`, 'write_agents'],
  ['DELETE', `${build}/annotations/x`, 'write_builds'],
];

const allScopes = [...new Set([...guarded, ...beyond].map(([, , scope]) => scope)), 'graphql'];

sampled.each([...guarded, ...beyond])('%s %s needs %s', async (method, path, scope) => {
  const scopes = allScopes.filter((one) => one !== scope);
  const { token } = await service.admin('POST', '/tokens', { scopes });
  const reply = await service.send(path.replace('JOB', job), { method, token });
  expect([reply.status, reply.json.message]).toEqual([
    403,
    `Your access token doesn't have the ${scope} scope`,
  ]);
  expect(reply.headers).toMatchObject({
    'x-oauth-scopes': scopes.join(', '),
    'x-accepted-oauth-scopes': scope,
  });
});

sampled.each([...guarded, ...beyond, ['GET', '/v2/access-token', ''], ['GET', '/v2/nowhere', '']])(
  '%s %s without a token that works',
  async (method, path) => {
    for (const token of [null, 'nobody', service.agentToken, service.adminToken.slice(0, -1)]) {
      const reply = await service.send(path.replace('JOB', job), { method, token });
      expect(reply.status).toBe(401);
      expect(reply.json.message).toMatch(/^Authentication required\. Please supply a valid API/);
    }
  },
);

sampled.each(['/v2/access-token', `${rest}/emojis`])('%s needs no scope', async (path) => {
  const { token } = await service.admin('POST', '/tokens', { scopes: [] });
  expect((await service.get(path, { token })).status).toBe(200);
});

test('reports what is missing in order: organization, pipeline, build, job', async () => {
  const pipeline = `${rest}/pipelines/p`;
  const cases: [string, string][] = [
    ['/v2/organizations/none', 'No organization found'],
    ['/v2/organizations/Local', 'No organization found'],
    ['/v2/organizations/none/pipelines/none/builds/9', 'No organization found'],
    [`${rest}/pipelines/none/builds/9`, 'No pipeline found'],
    [`${rest}/pipelines/P/builds`, 'No pipeline found'],
    [`${pipeline}/builds/9`, 'No build found'],
    [`${pipeline}/builds/9/jobs/none/log`, 'No build found'],
    [`${pipeline}/builds/1/jobs/none/log`, 'No job found'],
    [`${pipeline}/builds/1/jobs/none/env`, 'No job found'],
    [`${rest}/rules/none`, 'No rule found'],
    ['/v2/nothing', 'Not Found'],
  ];
  for (const [path, message] of cases) {
    const reply = await service.get(path);
    expect([path, reply.status, reply.json.message]).toEqual([path, 404, message]);
  }
});

test('a token describes itself and can be revoked', async () => {
  const given = { scopes: ['read_builds'], description: 'for a test' };
  const { token, uuid, user } = await service.admin('POST', '/tokens', given);
  expect(user).toMatchObject({ name: 'Local user' });
  const reply = await service.get('/v2/access-token', { token });
  expect(reply.json).toMatchObject({ ...given, uuid, user: { name: 'Local user' } });
  expect(reply.json['created_at']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);

  const gone = await service.delete('/v2/access-token', { token });
  expect([gone.status, gone.text]).toEqual([204, '']);
  for (const path of ['/v2/access-token', '/v2/builds', `${rest}/emojis`])
    expect((await service.get(path, { token })).status).toBe(401);
});

test('a token can access its own organizations', async () => {
  const org = await service.admin('POST', '/organizations', { slug: 'second', name: 'Second' });
  expect(org.slug).toBe('second');
  const other = await service.admin('POST', '/tokens', { organizations: ['second'] });
  const one = { token: other.token };
  expect((await service.get('/v2/builds', one)).list).toEqual([]);
  expect((await service.get('/v2/organizations', one)).list.map(({ slug }) => slug)).toEqual([
    'second',
  ]);
  const foreign = await service.get(build, one);
  expect([foreign.status, foreign.json.message]).toEqual([404, 'No organization found']);
  const both = await service.admin('POST', '/tokens', {});
  const all = await service.get('/v2/organizations', { token: both.token });
  expect(all.list.map(({ slug }) => slug)).toEqual(['local', 'second']);
});

sampled.each([
  ['admin', true],
  ['member', false],
])('as %s, the webhook is shown: %s', async (role, shown) => {
  const given = { name: role, email: `${role}@x`, role };
  const user = await service.admin('POST', '/users', given);
  const { token } = await service.admin('POST', '/tokens', { user: user.id });
  const single = await service.get(build, { token });
  const listed = await service.get('/v2/builds', { token });
  for (const { pipeline } of [single.json, listed.list[0] ?? single.json])
    expect(pipeline.provider.webhook_url.startsWith(`${service.url}/webhooks/`)).toBe(shown);
});

test("a job's token can access its own build while the job runs", async () => {
  await service.post(`${rest}/pipelines/p/builds`, wanted);
  const spec = runner.works[0];
  const token = spec?.hiddenEnv['CICTL_TOKEN'] ?? '';
  const allowed: [string, string, object?][] = [
    ['GET', build],
    ['GET', `${build}/annotations`],
    ['GET', `${job}/log`],
    ['POST', `${build}/annotations`, { body: 'from the job' }],
  ];
  for (const [method, path, body] of allowed)
    expect((await service.send(path, { method, body, token })).status).toBeLessThan(300);
  expect((await service.get('/v2/builds', { token })).list.map(({ number }) => number)).toEqual([
    1,
  ]);
  const denied: [string, string, number][] = [
    ['GET', `${rest}/pipelines/p/builds/2`, 404],
    ['POST', `${rest}/pipelines/p/builds/2/annotations`, 404],
    ['POST', `${rest}/pipelines/p/builds`, 403],
    ['PUT', `${build}/cancel`, 403],
    ['PUT', `${build}/rebuild`, 403],
    ['PUT', `${job}/retry`, 403],
    ['DELETE', `${job}/log`, 403],
    ['GET', `${job}/env`, 403],
    ['GET', `${rest}/rules`, 403],
    ['GET', '/v2/organizations', 403],
    ['GET', `${rest}/emojis`, 403],
    ['GET', '/v2/access-token', 200],
    ['DELETE', '/v2/access-token', 403],
    ['GET', '/v3/metrics', 401],
    ['GET', '/local/v1/status', 401],
  ];
  for (const [method, path, status] of denied)
    expect([path, (await service.send(path, { method, token })).status]).toEqual([path, status]);
  const data = `/v3/jobs/${spec?.jobId ?? ''}/data`;
  const asAgent = { token: null, headers: { authorization: `Token ${token}` } };
  const set = (key: string, value: string) => service.post(`${data}/set`, { key, value }, asAgent);
  expect((await set('a key', 'v')).status).toBe(204);
  expect((await service.post(`${data}/keys`, {}, asAgent)).list).toEqual(['a key']);
  expect((await set('a\0', 'v')).status).toBe(400);
  expect((await set('a', 'v\0')).status).toBe(400);
  expect((await service.get(build)).json['meta_data']).toEqual({ 'a key': 'v' });
  expect((await service.post(`${data}/keys`, {}, { token })).status).toBe(401);
  expect((await service.post(`${data}/keys`, {})).status).toBe(401);

  runner.finish(spec?.jobId ?? '');
  await service.until(build, ({ state }) => state === 'passed');
  expect((await service.get(build, { token })).status).toBe(401);
});

sampled.each([
  [{ host: 'evil.example' }, 403],
  [{ host: 'evil.example:PORT' }, 403],
  [{ host: '127.0.0.1' }, 403],
  [{ host: 'localhost:PORT' }, 200],
  [{ origin: 'https://evil.example' }, 403],
  [{ origin: 'null' }, 403],
  [{ origin: 'http://127.0.0.1:PORT' }, 200],
])('with the headers %j it answers %i', async (given, status) => {
  const entries = Object.entries(given).map(([name, value]) => [
    name,
    value.replace('PORT', String(service.port)),
  ]);
  const headers = Object.fromEntries(entries) as Record<string, string>;
  expect((await service.get('/v2/access-token', { headers })).status).toBe(status);
});

test('does not listen on other IP addresses of this machine', async () => {
  const refusal = await new Promise((resolve) => {
    request({ host: '127.0.0.2', port: service.port })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      .on('response', () => resolve('answered'))
      .end();
  });
  expect(refusal).toBe('ECONNREFUSED');
});

test("only the administrator can use the service's own routes", async () => {
  for (const token of [service.token, service.agentToken, null])
    expect((await service.get('/local/v1/status', { token })).status).toBe(401);
  expect(await service.admin('GET', '/status')).toMatchObject({ url: service.url, slots: 2 });
  expect((await service.get('/v2/builds', { token: service.adminToken })).status).toBe(401);
});

test('rate limits respond as the public service does', async () => {
  let now = 1_000_000;
  const limited = await useCounterpart({ rateLimit: 2, clock: { now: () => now }, runner });
  const first = await limited.get('/v2/builds');
  expect(first.headers).toMatchObject({
    'ratelimit-scope': 'rest',
    'ratelimit-remaining': '7',
    'ratelimit-limit': '8',
    'ratelimit-reset': '60',
    'ratelimit-user-remaining': '1',
    'ratelimit-user-limit': '2',
    'ratelimit-user-reset': '60',
  });
  await limited.get('/v2/nothing-that-counts-less');
  await limited.get('/v2/organizations/none');
  now += 18_000;
  const refused = await limited.get('/v2/builds');
  expect(refused.status).toBe(429);
  expect(refused.json).toEqual({
    message:
      'You have exceeded your API rate limit. Please wait 42 seconds before making more requests.',
    scope: 'rest_user',
    limit: 2,
    current: 3,
    reset: 42,
  });
  expect(refused.headers).toMatchObject({ 'ratelimit-user-remaining': '0' });
  now += 42_000;
  expect((await limited.get('/v2/builds')).status).toBe(200);
  expect((await service.get('/v2/builds')).headers['ratelimit-limit']).toBeUndefined();
});

sampled.each(['/v3/metrics', '/v3/metrics/queue?name=x'])(
  'without an agent token, %s names the header that it wants',
  async (path) => {
    for (const authorization of ['', 'Token nobody', `Bearer ${service.token}`]) {
      const reply = await service.get(path, { token: null, headers: { authorization } });
      expect(reply.status).toBe(401);
      expect(reply.json.message).toBe(
        'Authentication required. Please supply a valid Agent Registration Token: `Authorization: Token TOKEN`',
      );
    }
  },
);

test("a token with all scopes has the public service's scopes by name", async () => {
  const { json } = await service.get('/v2/access-token');
  const scopes = json['scopes'] as string[];
  expect(new Set(scopes).size).toBe(scopes.length);
  for (const scope of publicScopes) expect(scopes).toContain(scope);
  expect(scopes).toHaveLength(publicScopes.length + 1);
  expect(scopes).toContain('graphql');
  const made = await service.admin('POST', '/tokens', {});
  expect(made['scopes']).toEqual(scopes);
});

/** As listed in the public documentation of API access tokens. */
const publicScopes = `
read_agents write_agents read_clusters write_clusters read_pipelines write_pipelines
read_pipeline_templates write_pipeline_templates read_builds write_builds read_build_logs
write_build_logs read_job_env read_artifacts write_artifacts read_rules write_rules read_teams
write_teams read_organizations write_organizations read_organization_settings
write_organization_settings read_organization_repository_connections read_notification_services
write_notification_services read_user read_audit_events read_secrets_details write_secrets
read_suites write_suites read_test_plan write_test_plan read_registries write_registries
delete_registries read_packages write_packages delete_packages read_portals write_portals
`
  .trim()
  .split(/\s+/);

test('a token can have any scope', async () => {
  for (const scope of publicScopes)
    expect((await service.admin('POST', '/tokens', { scopes: [scope] }))['scopes']).toEqual([
      scope,
    ]);
});

sampled.each([
  ['read_biulds', 'Unknown scope read_biulds; did you mean read_builds?'],
  ['everything', 'Unknown scope everything: a token without --scope has all scopes'],
])('there is no scope %s, in one line', async (scope, message) => {
  const token = service.adminToken;
  const reply = await service.post('/local/v1/tokens', { scopes: [scope] }, { token });
  expect([reply.status, reply.json.message]).toEqual([422, message]);
});
