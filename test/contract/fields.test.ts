/**
 * "Resources and their fields": each member of each table, in responses of many different builds.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Counterpart, Wire } from '../service/counterpart.ts';
import { count, createMixed, org } from './mixed.ts';
import { fits, readings, typeOf } from './readings.ts';
import { tables, type Table } from './tables.ts';

let service: Counterpart;
let builds: Wire[];
const seen = new Map<string, unknown[]>();

beforeAll(async () => {
  service = await createMixed();
  builds = await everyBuild();
  for (const [type, answer] of await answers()) {
    for (const { member, value } of readings(answer, type)) {
      seen.set(member, [...(seen.get(member) ?? []), value]);
    }
  }
});

afterAll(() => service.close());

async function everyBuild(): Promise<Wire[]> {
  const query = 'per_page=100&include_retried_jobs=true';
  const pages = [1, 2].map((page) => service.get(`/v2/builds?${query}&page=${page}`));
  return (await Promise.all(pages)).flatMap(({ list }) => list);
}

/** A response of each kind, with its expected type. */
async function answers(): Promise<[type: string, answer: unknown][]> {
  const path = `${org}/pipelines/plain/builds/2`;
  const { json: build } = await service.get(path);
  const job = `${path}/jobs/${build.jobs[0]?.id ?? ''}`;
  const value = { source_pipeline: 'plain', target_pipeline: 'failed' };
  const rule = { type: 'pipeline.trigger_build.pipeline', value };
  await service.admin('POST', '/organizations/local/emojis', { name: 'own', url: 'http://x/y' });
  const headers = { authorization: `Token ${service.agentToken}` };
  const get = async (address: string): Promise<unknown> => (await service.get(address)).json;
  return [
    ['[Build]', builds],
    ['Build', build],
    ['Job log', await get(`${job}/log`)],
    ['Job environment', await get(`${job}/env`)],
    ['Annotation', (await service.post(`${path}/annotations`, { body: 'x' })).json],
    ['[Annotation]', await get(`${path}/annotations`)],
    ['Rule', (await service.post(`${org}/rules`, rule)).json],
    ['[Rule]', await get(`${org}/rules`)],
    ['[Organization]', await get('/v2/organizations')],
    ['Organization', await get(org)],
    ['[Emoji]', await get(`${org}/emojis`)],
    ['Access token', await get('/v2/access-token')],
    ['Metrics', (await service.get('/v3/metrics', { token: null, headers })).json],
  ];
}

const members = Object.entries<Table>(tables).flatMap(([name, table]) =>
  Object.keys(table).map((member) => `${name}: ${member}`),
);

test.each(members)('%s', (member) => {
  const values = seen.get(member) ?? [];
  const type = typeOf(member) ?? '';
  expect(values.length).toBeGreaterThan(0);
  expect(values.filter((value) => !fits(value, type))).toEqual([]);
  // A member that may be null or missing must be so in some responses and not in others.
  const special = type.endsWith('?') || type.endsWith('-');
  const kinds = new Set(values.map((value) => value === null || value === undefined));
  expect([...kinds].sort()).toEqual(special ? [false, true] : [type === 'null']);
});

test('the builds are many, and differ', () => {
  expect(builds.length).toBeGreaterThan(count);
  const states = builds.map(({ state, blocked }) => (blocked ? 'blocked' : state));
  expect([...new Set(states)].sort()).toEqual([
    'blocked',
    'canceled',
    'failed',
    'passed',
    'running',
  ]);
  const jobs = builds.flatMap((build) => build.jobs);
  expect(new Set(jobs.map((job) => job['type']))).toEqual(new Set(['script', 'waiter', 'manual']));
});

test('a pipeline tells its creation in another form within a single build', async () => {
  expect(builds.length).toBeGreaterThan(10);
  for (const { number, pipeline } of builds.slice(0, 20)) {
    const { json } = await service.get(`${org}/pipelines/${pipeline.slug}/builds/${number}`);
    expect(json.pipeline['created_at']).toMatch(/ UTC$/);
    expect(pipeline['created_at']).toMatch(/Z$/);
  }
});

test('an agent in a list is its id, address and name', () => {
  const agents = builds.flatMap(({ jobs }) => jobs.flatMap((job) => job['agent'] ?? []));
  const members = new Set(agents.map((agent) => Object.keys(agent).join()));
  expect([...members]).toEqual(['id,url,name']);
});

test('a build has one id in the whole service, and one number in its pipeline', () => {
  const names = builds.map(({ pipeline, number }) => `${pipeline.slug}/${number}`);
  for (const unique of [names, builds.map(({ id }) => id)])
    expect(new Set(unique).size).toBe(builds.length);
  const later = builds.filter(({ pipeline }) => pipeline.slug === 'plain');
  const numbers = later.map(({ number }) => number);
  expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
});

test('addresses and GraphQL identifiers lead to what they are of', async () => {
  for (const build of builds.slice(0, 10)) {
    const decoded = Buffer.from(String(build['graphql_id']), 'base64').toString();
    expect(decoded).toBe(`Build---${build.id}`);
    const path = String(build['url']).slice(service.url.length);
    expect((await service.get(path)).json.id).toBe(build.id);
  }
});

test('raw_log_url is the address of the plain text', async () => {
  const job = builds.flatMap(({ jobs }) => jobs).find(({ state }) => state === 'passed');
  const reply = await service.get(String(job?.['raw_log_url']).slice(service.url.length));
  expect(reply.headers['content-type']).toContain('text/plain');
});

test('each script has addresses, whatever became of it', () => {
  const scripts = builds.flatMap(({ jobs }) => jobs).filter((job) => job['type'] === 'script');
  for (const name of ['web_url', 'log_url', 'raw_log_url'])
    expect(scripts.filter((job) => !fits(job[name], 'url'))).toEqual([]);
});
