/** Expensive queries fail quickly, and the service keeps responding. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getIntrospectionQuery } from 'graphql';
import { createCounterpart, type Counterpart, type Reply } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';
import { longTest } from '../support/full.ts';

let service: Counterpart;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  const path = await service.pipeline('p', '[{ command: one }]');
  for (let number = 1; number <= 9; number++)
    await service.post(`${path}/builds`, { commit: 'HEAD', branch: 'main' });
});

afterAll(() => service.close());

const ask = (query: string): Promise<Reply> => service.post('/v1', { query });

const messageOf = (reply: Reply): string => JSON.stringify(reply.json['errors']);

const many = (field: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');

test('rejects a depth of more than 15 with the figure and the limit', async () => {
  const query = (depth: number): string =>
    `{ build(slug: "local/p/1") ${'{ rebuiltFrom '.repeat(depth - 2)} { number } ${'} '.repeat(depth - 2)} }`;
  expect((await ask(query(15))).json['errors']).toBeUndefined();
  const refused = await ask(query(16));
  expect(refused.status).toBe(200);
  expect(refused.json.data).toBeUndefined();
  expect(messageOf(refused)).toContain('a depth of 16, but the maximum is 15');
});

test('rejects a complexity of more than 50,000 with the figure and the limit', async () => {
  const query = (fields: number): string =>
    `{ viewer { builds(first: 78) { edges { node { ${many('pipeline { id }', fields)} } } } } }`;
  expect((await ask(query(639))).json['errors']).toBeUndefined();
  const refused = await ask(query(640));
  expect(refused.status).toBe(200);
  expect(refused.json.data).toBeUndefined();
  expect(messageOf(refused)).toContain('a complexity of 50001, but the maximum is 50000');
});

test('a query rejected for its cost changes nothing', async () => {
  const { json } = await service.get('/v2/organizations/local/pipelines/p');
  const refused =
    await ask(`mutation { buildCreate(input: { pipelineID: "${String(json['graphql_id'])}" }) {
    build { pipeline { builds(first: 500) { edges { node { jobs(first: 500) { edges { node { __typename } } } } } } } } } }`);
  expect(messageOf(refused)).toContain('complexity');
  expect((await service.get('/v2/organizations/local/pipelines/p/builds')).list).toHaveLength(9);
});

test('a deeply nested query is an error of the query, not of the service', async () => {
  for (const levels of [1000, 4900]) {
    const { status, json } = await ask('{ a '.repeat(levels) + '}'.repeat(levels));
    expect(status).toBe(200);
    expect(json['errors']).toHaveLength(1);
    expect(JSON.stringify(json)).toContain(`a depth of ${levels}, but the maximum is 15`);
  }
});

test('limits introspection while it runs', async () => {
  for (const query of [
    `{ __schema { types { fields { name ${many('__typename', 3000)} } } } }`,
    `{ __schema { types { fields { ${many('name', 3000)} } } } }`,
  ]) {
    const { json } = await ask(query);
    expect(json['errors']).toEqual([
      { message: 'The query requests more than 100000 fields: request fewer or smaller pages' },
    ]);
  }
});

longTest('long texts requested many times end with an error', async () => {
  const message = 'x'.repeat(1_000_000);
  const path = await service.pipeline('long', '[{ command: one }]');
  await service.post(`${path}/builds`, { commit: 'HEAD', branch: 'main', message });
  const messages = Array.from({ length: 1000 }, (_, index) => `a${index}: message`).join(' ');
  const { status, json } = await ask(`{ build(slug: "local/long/1") { ${messages} } }`);
  expect(status).toBe(200);
  expect(json['errors']).toEqual([
    { message: 'The query requests more than 64 MiB of text: request fewer or smaller pages' },
  ]);
});

test('the introspection of common tools is far below the limits', async () => {
  const { json } = await ask(getIntrospectionQuery({ inputValueDeprecation: true }));
  expect(json['errors']).toBeUndefined();
});
