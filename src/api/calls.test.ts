import { expect, test } from 'vitest';
import { serve, type CannedResponse } from '../../test/support/server.ts';
import { all, testClient } from '../../test/support/client.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import type { Client } from './client.ts';

const org = { org: 'acme' };
const pipeline = { ...org, pipeline: 'web' };
const build = { ...pipeline, number: 7 };
const job = { ...build, job: 'j-1' };
type Call = (client: Client) => Promise<unknown>;

/** The result of a call that gets this response, or its error. */
async function outcome(call: Call, answer: CannedResponse, method = 'GET'): Promise<unknown> {
  const server = await serve([{ method, path: /./, answer }]);
  const client = testClient(server.url, virtualClock());
  const result: unknown = await call(client).catch((error: unknown) => error);
  await client.close();
  return result;
}

/** Call, method, description, required scope, what was not found. */
type Row = [
  call: Call,
  method: string,
  action: string,
  scope?: string | undefined,
  missing?: string,
];

/** With names, because a function is not a useful test title. */
const named = ([call, method, action, scope, missing]: Row) => ({
  ...{ call, method, action, scope, missing },
});

const ofAcme = 'organization acme';
const ofBuild = 'build acme/web/7';
const ofJob = 'job acme/web/7#j-1';
const readLog: [string, string, string, string] = [
  ...(['GET', `read the log of ${ofJob}`] as const),
  ...(['read_build_logs', 'job j-1'] as const),
];
const readEnv: [string, string, string, string] = [
  ...(['GET', `read the environment of ${ofJob}`] as const),
  ...(['read_job_env', 'job j-1'] as const),
];

const rows: Row[] = [
  [(c) => all(c.builds.list({})), 'GET', 'list builds', 'read_builds'],
  [(c) => all(c.builds.list(org)), 'GET', 'list the builds in acme', 'read_builds', ofAcme],
  [
    (c) => all(c.builds.list(pipeline)),
    ...(['GET', 'list the builds in acme/web', 'read_builds', 'pipeline acme/web'] as const),
  ],
  [(c) => c.builds.get(build), 'GET', `view ${ofBuild}`, 'read_builds', ofBuild],
  [
    (c) => c.builds.create(pipeline, {}),
    ...(['POST', 'create a build in acme/web', 'write_builds', 'pipeline acme/web'] as const),
  ],
  [(c) => c.builds.cancel(build), 'PUT', `cancel ${ofBuild}`, 'write_builds', ofBuild],
  [(c) => c.builds.rebuild(build), 'PUT', `rebuild ${ofBuild}`, 'write_builds', ofBuild],
  [(c) => c.jobs.retry(job), 'PUT', `retry ${ofJob}`, 'write_builds', 'job j-1'],
  [(c) => c.jobs.unblock(job), 'PUT', `unblock ${ofJob}`, 'write_builds', 'job j-1'],
  [(c) => c.jobs.log(job), ...readLog],
  [(c) => c.jobs.logText(job), ...readLog],
  [(c) => c.jobs.logText(job, { html: true }), ...readLog],
  [(c) => c.jobs.logJson(job), ...readLog],
  [
    (c) => c.jobs.deleteLog(job),
    ...(['DELETE', `delete the log of ${ofJob}`, 'write_build_logs', 'job j-1'] as const),
  ],
  [(c) => c.jobs.env(job), ...readEnv],
  [(c) => c.jobs.envText(job), ...readEnv],
  [
    (c) => all(c.annotations.list(build)),
    ...(['GET', `list the annotations of ${ofBuild}`, 'read_builds', ofBuild] as const),
  ],
  [
    (c) => c.annotations.create(build, { body: 'x' }),
    ...(['POST', `annotate ${ofBuild}`, 'write_builds', ofBuild] as const),
  ],
  [(c) => all(c.rules.list('acme')), 'GET', 'list the rules in acme', 'read_rules', ofAcme],
  [(c) => c.rules.get('acme', 'r-1'), 'GET', 'view rule r-1', 'read_rules', 'rule r-1'],
  [
    (c) => c.rules.create('acme', { type: 't', value: {} }),
    ...(['POST', 'create a rule in acme', 'write_rules', ofAcme] as const),
  ],
  [(c) => c.rules.delete('acme', 'r-1'), 'DELETE', 'delete rule r-1', 'write_rules', 'rule r-1'],
  [(c) => all(c.organizations.list()), 'GET', 'list organizations', 'read_organizations'],
  [
    (c) => c.organizations.get('acme'),
    ...(['GET', 'view organization acme', 'read_organizations', ofAcme] as const),
  ],
  [(c) => c.emojis.list('acme'), 'GET', 'list the emojis in acme', undefined, ofAcme],
  [(c) => c.accessToken.get(), 'GET', 'check the access token'],
  [(c) => c.accessToken.revoke(), 'DELETE', 'revoke the access token'],
  [(c) => c.metrics.get(), 'GET', 'read the metrics'],
  [(c) => c.metrics.organization(), 'GET', 'read the metrics'],
  [(c) => c.graphql.query({ query: '{a}' }), 'POST', 'run the GraphQL query', 'graphql'],
];

test.each(rows.map(named))('$method: cannot $action without its scope', async (row) => {
  const { call, method, action, scope } = row;
  const answer = { status: 403, json: { message: 'Forbidden' } };
  const needs = scope === undefined ? '' : ` (requires the scope ${scope})`;
  expect(await outcome(call, answer, method)).toMatchObject({
    kind: 'auth',
    message: `cannot ${action}: Forbidden${needs}`,
  });
});

test.each(rows.map(named))('$method: cannot $action of what is missing', async (row) => {
  const { call, method, action, missing } = row;
  const answer = { status: 404, json: { message: 'Not Found' } };
  expect(await outcome(call, answer, method)).toMatchObject({
    kind: 'not_found',
    message: `cannot ${action}: ${missing === undefined ? 'Not Found' : `${missing} was not found`}`,
  });
});

const signIns: Row[] = [
  [(c) => c.builds.create(pipeline, {}), 'POST', 'a build: it has no number or id'],
  [(c) => c.builds.cancel(build), 'PUT', 'a build: it has no number or id'],
  [(c) => c.builds.rebuild(build), 'PUT', 'a build: it has no number or id'],
  [(c) => c.jobs.retry(job), 'PUT', 'a job: it has no id or state'],
  [(c) => c.jobs.unblock(job), 'PUT', 'a job: it has no id or state'],
  [
    (c) => c.annotations.create(build, { body: 'x' }),
    ...(['POST', 'an annotation: it has no id or context'] as const),
  ],
  [
    (c) => c.rules.create('acme', { type: 't', value: {} }),
    ...(['POST', 'a rule: it has no uuid or type'] as const),
  ],
  [(c) => c.accessToken.get(), 'GET', 'an access token: it has no uuid or scopes'],
  [
    (c) => c.accessToken.get({ asSent: true }),
    ...(['GET', 'an access token: it has no uuid or scopes'] as const),
  ],
];

test.each(signIns.map(named))('does not $action given a sign-in page', async (row) => {
  const { call, method, action } = row;
  const answer = { json: { message: 'Sign in' } };
  expect(await outcome(call, answer, method)).toMatchObject({
    kind: 'invalid_response',
    message: expect.stringContaining(`the response is not ${action}`) as string,
  });
});

test.each<[string, Call, unknown, string]>([
  ['a build', (c) => c.builds.get(build), { jobs: {} }, 'jobs is an object instead of an array'],
  ['a token', (c) => c.accessToken.get(), { uuid: 'x', scopes: 'a' }, 'scopes is a string instead'],
  ['a log', (c) => c.jobs.log(job), { size: 3 }, 'content is missing'],
  ['a log', (c) => c.jobs.log(job), { content: 'a', size: '3' }, 'size is a string instead'],
  ['variables', (c) => c.jobs.env(job), { env: [] }, 'env is an array instead of an object'],
  ['variables', (c) => c.jobs.env(job), {}, 'env is missing instead of an object'],
  ['variables', (c) => c.jobs.env(job), { env: null }, 'env is null instead of an object'],
  [
    'variables',
    (c) => c.jobs.env(job),
    { env: { A: 'secret', B: 5 } },
    'env.B is a number instead',
  ],
])('%s with used members must have the right types', async (_, call, json, words) => {
  const error = await outcome(call, { json });
  expect(error).toMatchObject({ kind: 'invalid_response' });
  expect(String(error)).toContain(words);
  expect(String(error)).not.toContain('secret');
});

test.each<[string, Call, unknown]>([
  ['a build', (c) => c.builds.get(build, { asSent: true }), { jobs: {} }],
  ['a build', (c) => c.builds.get(build, { asSent: true, exact: true }), { number: 8 }],
  ['a token', (c) => c.accessToken.get({ asSent: true }), { uuid: 'x', scopes: 'a' }],
  ['an organization', (c) => c.organizations.get('acme'), { slug: 5 }],
  ['a rule', (c) => c.rules.get('acme', 'r-1'), { uuid: 5 }],
  ['variables', (c) => c.jobs.env(job), { env: { A: null, B: '' } }],
])('%s that is only passed on stays as sent', async (_, call, json) => {
  expect(await outcome(call, { json })).toEqual(json);
});

test.each<[string, Call, string]>([
  ['waited for', (c) => c.builds.get(build, { exact: true }), 'GET'],
  ['canceled', (c) => c.builds.cancel(build), 'PUT'],
])('a build that is %s is not another build', async (_, call, method) => {
  const other = await outcome(call, { json: { id: 'x', number: 8 } }, method);
  expect(other).toMatchObject({ kind: 'invalid_response' });
  expect(String(other)).toContain('the response is build 8');
  for (const json of [{ id: 'x', number: 7 }, { id: 'x' }, { id: 'x', number: null }]) {
    expect(await outcome(call, { json }, method)).toEqual(json);
  }
});

test('the new build has its own number', async () => {
  const json = { number: 8 };
  expect(await outcome((c) => c.builds.rebuild(build), { json }, 'PUT')).toEqual(json);
  expect(await outcome((c) => c.builds.get(build), { json })).toEqual(json);
});

const html = { 'content-type': 'Text/HTML; charset=utf-8' };

test.each<[CannedResponse, string]>([
  [{ status: 200, json: {} }, 'the service returned 200 instead of 204'],
  [{ status: 202 }, 'the service returned 202 instead of 204'],
  [{ body: ' <p>Sign in' }, 'the service returned 200 with an HTML page instead of 204'],
  [{ body: 'Sign in', headers: html }, 'the service returned 200 with an HTML page instead of 204'],
  [{ body: 'a < b' }, 'the service returned 200 instead of 204'],
])('reports a deletion only if the service confirms it: %j', async (answer, words) => {
  const error = await outcome((c) => c.jobs.deleteLog(job), answer, 'DELETE');
  expect(error).toMatchObject({ kind: 'invalid_response' });
  expect(String(error)).toContain(`${words}; the request may have arrived`);
});

test.each<[string, Call, CannedResponse]>([
  ['the variables', (c) => c.jobs.envText(job), { body: 'x', headers: html }],
  ['a log', (c) => c.jobs.logText(job), { body: 'x', headers: html }],
  ['the object of a log', (c) => c.jobs.logJson(job), { body: 'x', headers: html }],
])('an HTML page is not %s', async (_, call, answer) => {
  const error = await outcome(call, answer);
  expect(error).toMatchObject({ kind: 'invalid_response' });
  expect(String(error)).toMatch(/the response is HTML, not (text|JSON)/);
});

const readObject = async (client: Client): Promise<string> =>
  Buffer.concat(await all((await client.jobs.logJson(job)).body)).toString();

test('streams a log object, whatever its content type', async () => {
  const body = ' {"content": "a", "size": 1}\n';
  expect(await outcome(readObject, { body })).toBe(body);
  const headers = { 'content-type': 'application/text/html+json' };
  expect(await outcome(readObject, { body, headers })).toBe(body);
});

test("rejects a log of another kind with the call's error message", async () => {
  expect(await outcome(readObject, { json: { content: 5 } })).toMatchObject({
    kind: 'invalid_response',
    message: `cannot read the log of ${ofJob}: content is a number instead of a string`,
    hint: 'cictl auth status',
  });
});
