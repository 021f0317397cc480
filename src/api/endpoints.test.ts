import { expect, test } from 'vitest';
import { serve, type Exchange } from '../../test/support/server.ts';
import { all, testClient } from '../../test/support/client.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import type { Client } from './client.ts';

const pipeline = { org: 'acme', pipeline: 'web' };
const build = { ...pipeline, number: 7 };
const job = { ...build, job: 'j-1' };
const b = '/v2/organizations/acme/pipelines/web/builds';
const j = `${b}/7/jobs/j-1`;
const object: Exchange['answer'] = { json: { id: 'x' } };
const array: Exchange['answer'] = { json: [{ id: 'x' }] };
const nothing: Exchange['answer'] = { status: 204 };

const one = { id: 'x' };
const counts = {
  agents: { idle: 1, busy: 2, total: 3 },
  jobs: { scheduled: 1, running: 2, waiting: 3, total: 6 },
};
const withUuid = { uuid: 'x' };
const agent = (verb: string): Exchange => ({
  method: 'PUT',
  path: `/v2/organizations/acme/agents/a-1/${verb}`,
  answer: nothing,
});

/** Every endpoint of the specification: the call, its request and its result. */
const rows: [string, (client: Client) => Promise<unknown>, Exchange, unknown][] = [
  [
    'builds of all',
    (c) => all(c.builds.list({})),
    { path: '/v2/builds?per_page=100', answer: array },
    [one],
  ],
  [
    'builds of an organization',
    (c) => all(c.builds.list({ org: 'acme' }, { perPage: 30 })),
    { path: '/v2/organizations/acme/builds?per_page=30', answer: array },
    [one],
  ],
  [
    'builds of a pipeline',
    (c) => all(c.builds.list(pipeline)),
    { path: `${b}?per_page=100`, answer: array },
    [one],
  ],
  ['build', (c) => c.builds.get(build), { path: `${b}/7`, answer: object }, one],
  [
    'build with retried jobs',
    (c) => c.builds.get(build, { includeRetriedJobs: true }),
    { path: `${b}/7?include_retried_jobs=true`, answer: object },
    one,
  ],
  [
    'build, created',
    (c) => c.builds.create(pipeline, { commit: 'HEAD', branch: 'main', env: { A: '1' } }),
    {
      method: 'POST',
      path: b,
      headers: { 'content-type': 'application/json' },
      body: { commit: 'HEAD', branch: 'main', env: { A: '1' } },
      answer: { ...object, status: 201 },
    },
    one,
  ],
  [
    'build, canceled',
    (c) => c.builds.cancel(build),
    { method: 'PUT', path: `${b}/7/cancel`, body: '', answer: object },
    one,
  ],
  [
    'build, rebuilt',
    (c) => c.builds.rebuild(build),
    { method: 'PUT', path: `${b}/7/rebuild`, body: '', answer: object },
    one,
  ],
  [
    'job, retried',
    (c) => c.jobs.retry(job),
    { method: 'PUT', path: `${j}/retry`, body: '', answer: object },
    one,
  ],
  [
    'job, unblocked',
    (c) => c.jobs.unblock(job),
    { method: 'PUT', path: `${j}/unblock`, body: '', answer: object },
    one,
  ],
  [
    'job, unblocked with fields',
    (c) => c.jobs.unblock(job, { unblocker: 'u', fields: { f: ['a', 'b'] } }),
    {
      method: 'PUT',
      path: `${j}/unblock`,
      body: { unblocker: 'u', fields: { f: ['a', 'b'] } },
      answer: object,
    },
    one,
  ],
  [
    'log',
    (c) => c.jobs.log(job),
    {
      path: `${j}/log`,
      headers: { accept: 'application/json' },
      answer: { json: { content: 'a' } },
    },
    { content: 'a' },
  ],
  [
    'log, deleted',
    (c) => c.jobs.deleteLog(job),
    { method: 'DELETE', path: `${j}/log`, answer: nothing },
    undefined,
  ],
  [
    'environment',
    (c) => c.jobs.env(job),
    { path: `${j}/env`, answer: { json: { env: { A: '1' } } } },
    { env: { A: '1' } },
  ],
  [
    'environment as text',
    (c) => c.jobs.envText(job),
    { path: `${j}/env.txt`, headers: { accept: 'text/plain' }, answer: { body: 'A=1\n' } },
    'A=1\n',
  ],
  [
    'annotations',
    (c) => all(c.annotations.list(build)),
    { path: `${b}/7/annotations?per_page=100`, answer: array },
    [one],
  ],
  [
    'annotation, created',
    (c) => c.annotations.create(build, { body: '# é\n', append: true }),
    {
      method: 'POST',
      path: `${b}/7/annotations`,
      body: '{"body":"# é\\n","append":true}',
      answer: { ...object, status: 201 },
    },
    one,
  ],
  [
    'agents',
    (c) => all(c.agents.list('acme')),
    { path: '/v2/organizations/acme/agents?per_page=100', answer: array },
    [one],
  ],
  [
    'agent, stopped',
    (c) => c.agents.stop('acme', { id: 'a-1' }, { force: false }),
    { ...agent('stop'), body: { force: false } },
    undefined,
  ],
  [
    'agent, paused',
    (c) => c.agents.pause('acme', { id: 'a-1' }, { note: 'lunch', timeout_in_minutes: 2 }),
    { ...agent('pause'), body: { note: 'lunch', timeout_in_minutes: 2 } },
    undefined,
  ],
  [
    'agent, resumed',
    (c) => c.agents.resume('acme', { id: 'a-1' }),
    { ...agent('resume'), body: {} },
    undefined,
  ],
  [
    'rules',
    (c) => all(c.rules.list('acme')),
    { path: '/v2/organizations/acme/rules?per_page=100', answer: array },
    [one],
  ],
  [
    'rule',
    (c) => c.rules.get('acme', 'r-1'),
    { path: '/v2/organizations/acme/rules/r-1', answer: object },
    one,
  ],
  [
    'rule, created',
    (c) => c.rules.create('acme', { type: 't', value: { source_pipeline_uuid: 's' } }),
    {
      method: 'POST',
      path: '/v2/organizations/acme/rules',
      body: { type: 't', value: { source_pipeline_uuid: 's' } },
      answer: { json: withUuid, status: 201 },
    },
    withUuid,
  ],
  [
    'rule, deleted',
    (c) => c.rules.delete('acme', 'r-1'),
    { method: 'DELETE', path: '/v2/organizations/acme/rules/r-1', answer: nothing },
    undefined,
  ],
  [
    'organizations',
    (c) => all(c.organizations.list()),
    { path: '/v2/organizations?per_page=100', answer: array },
    [one],
  ],
  [
    'organization',
    (c) => c.organizations.get('acme'),
    { path: '/v2/organizations/acme', answer: object },
    one,
  ],
  [
    'emojis',
    (c) => c.emojis.list('acme'),
    { path: '/v2/organizations/acme/emojis', answer: array },
    [one],
  ],
  [
    'access token',
    (c) => c.accessToken.get(),
    { path: '/v2/access-token', answer: { json: withUuid } },
    withUuid,
  ],
  [
    'access token, revoked',
    (c) => c.accessToken.revoke(),
    { method: 'DELETE', path: '/v2/access-token', answer: nothing },
    undefined,
  ],
  [
    'metrics',
    (c) => c.metrics.get(),
    {
      path: '/v3/metrics',
      headers: { authorization: 'Token agent-token-of-the-test' },
      answer: { json: counts, headers: { 'Buildkite-Agent-Metrics-Poll-Duration': '15' } },
    },
    { metrics: counts, pollDuration: 15_000 },
  ],
  [
    'GraphQL',
    (c) => c.graphql.query({ query: '{a}', variables: { b: 1 } }),
    {
      method: 'POST',
      path: '/v1',
      headers: { 'content-type': 'application/json', authorization: 'Bearer token-of-the-test' },
      body: { query: '{a}', variables: { b: 1 } },
      answer: { body: '{"data": {}}' },
    },
    { data: {}, errors: [], text: '{"data": {}}' },
  ],
];

test.each(rows)('%s', async (_, call, send, expected) => {
  const headers = { authorization: 'Bearer token-of-the-test', 'user-agent': 'cictl/test' };
  const server = await serve([{ ...send, headers: { ...headers, ...send.headers } }]);
  const client = testClient(server.url, virtualClock());
  expect(await call(client)).toEqual(expected);
  await client.close();
});

test('sends every filter', async () => {
  const server = await serve([{ path: /^\/v2\/builds\?/, answer: { json: [] } }]);
  const client = testClient(server.url, virtualClock());
  const filters = {
    ...{ branch: ['main', 'a/b'], commit: ['c0ffee'], state: ['passed', 'failed'], creator: 'u-1' },
    ...{ createdFrom: '2026-01-01T00:00:00Z', createdTo: '2026-02-01T00:00:00Z' },
    ...{ finishedFrom: '2026-01-02T00:00:00Z', includeRetriedJobs: true },
    metaData: { 'release version': '1&2' },
  };
  expect(await all(client.builds.list({}, filters))).toEqual([]);
  const sent = new URL(server.requests[0]?.path ?? '', server.url).searchParams;
  expect([...sent]).toEqual([
    ['per_page', '100'],
    ['state[]', 'passed'],
    ['state[]', 'failed'],
    ['branch[]', 'main'],
    ['branch[]', 'a/b'],
    ['commit', 'c0ffee'],
    ['creator', 'u-1'],
    ['created_from', '2026-01-01T00:00:00Z'],
    ['created_to', '2026-02-01T00:00:00Z'],
    ['finished_from', '2026-01-02T00:00:00Z'],
    ['include_retried_jobs', 'true'],
    ['meta_data[release version]', '1&2'],
  ]);
  await client.close();
});

test('streams a log, as a whole, as HTML and as a range', async () => {
  const server = await serve([
    {
      path: `${j}/log.txt`,
      headers: { accept: 'text/plain', range: null },
      answer: { body: 'a\r\nb' },
    },
    { path: `${j}/log.html`, headers: { accept: 'text/html' }, answer: { body: '<pre>' } },
    {
      path: `${j}/log.txt`,
      headers: { range: 'bytes=-2' },
      answer: { status: 206, headers: { 'content-range': 'bytes 2-3/4' }, body: '\nb' },
    },
    {
      path: `${j}/log.txt`,
      headers: { range: 'bytes=4-' },
      answer: { status: 416, headers: { 'content-range': 'bytes */4' } },
    },
    {
      path: `${j}/log.txt`,
      headers: { range: 'bytes=-2' },
      answer: { status: 416, json: { message: 'Requested range not satisfiable' } },
    },
  ]);
  const client = testClient(server.url, virtualClock());
  const read = async (options: { html?: boolean; range?: string }) => {
    const { status, headers, body } = await client.jobs.logText(job, options);
    const text = Buffer.concat(await all(body)).toString();
    return [status, text, headers['content-range']];
  };
  expect(await read({})).toEqual([200, 'a\r\nb', undefined]);
  expect(await read({ html: true })).toEqual([200, '<pre>', undefined]);
  expect(await read({ range: 'bytes=-2' })).toEqual([206, '\nb', 'bytes 2-3/4']);
  expect(await read({ range: 'bytes=4-' })).toEqual([416, '', 'bytes */4']);
  expect((await read({ range: 'bytes=-2' }))[0]).toBe(416);
  await client.close();
});

test('shows what would be sent, and sends nothing', async () => {
  const server = await serve([{ path: `${b}/7`, answer: object }]);
  const planned: unknown[] = [];
  const client = testClient(server.url, virtualClock(), {
    dryRun: (request) => planned.push(request),
  });
  expect(await client.builds.get(build)).toEqual(one);
  const dry = { name: 'DryRun' };
  await expect(client.builds.cancel(build)).rejects.toMatchObject(dry);
  await expect(client.annotations.create(build, { body: 'x' })).rejects.toMatchObject(dry);
  await expect(client.raw({ method: 'delete', path: 'x' })).rejects.toMatchObject(dry);
  expect(planned).toEqual([
    { method: 'PUT', url: `${server.url}${b}/7/cancel`, body: undefined },
    { method: 'POST', url: `${server.url}${b}/7/annotations`, body: '{"body":"x"}' },
    { method: 'DELETE', url: `${server.url}/v2/x`, body: undefined },
  ]);
  await client.close();
});
