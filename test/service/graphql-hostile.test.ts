/** Queries made to cost: each has its error soon, and the service goes on answering. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getIntrospectionQuery } from 'graphql';
import { createCounterpart, type Counterpart, type Reply } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';

let service: Counterpart;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  const path = await service.pipeline('p', '[{ command: one }]');
  for (let number = 1; number <= 9; number++)
    await service.post(`${path}/builds`, { commit: 'HEAD', branch: 'main' });
});

afterAll(() => service.close());

const ask = (query: string): Promise<Reply> => service.post('/v1', { query });

function nested(levels: number): string {
  const open = 'pipeline { builds(first: 500) { edges { node { '.repeat(levels);
  return `{ viewer { builds(first: 500) { edges { node { ${open} number ${'} } } } '.repeat(levels)} } } } } }`;
}

const tooMuch = 'The query asks for more than 100000 fields: ask for fewer or smaller pages';

test('connections in connections are refused by the number of fields that they come to', async () => {
  const { status, json } = await ask(nested(12));
  expect(status).toBe(200);
  expect(json['errors']).toEqual([{ message: tooMuch }]);
  expect((await ask('{ viewer { user { name } } }')).json.data).toEqual({
    viewer: { user: { name: 'Local user' } },
  });
});

test('what comes to less is answered, however deep it is', async () => {
  const { json } = await ask(nested(3));
  expect(json['errors']).toBeUndefined();
});

test('a query nested too deeply is an error of the query, not a fault of the service', async () => {
  for (const levels of [1000, 4900]) {
    const { status, json } = await ask('{ a '.repeat(levels) + '}'.repeat(levels));
    expect(status).toBe(200);
    expect(json['errors']).toHaveLength(1);
    expect(JSON.stringify(json)).not.toMatch(/Internal|call stack/);
  }
});

test('members of every object and of the schema count, whatever they are named', async () => {
  const many = (name: string): string =>
    Array.from({ length: 3000 }, (_, index) => `a${index}: ${name}`).join(' ');
  for (const query of [
    `{ viewer { builds { edges { node { pipeline { builds { edges { node { ${many('__typename')} } } } } } } } } }`,
    `{ __schema { types { fields { name ${many('__typename')} } } } }`,
    `{ __schema { types { fields { ${many('name')} } } } }`,
  ]) {
    const { json } = await ask(query);
    expect(json['errors']).toEqual([{ message: tooMuch }]);
  }
});

test('long texts that are asked for many times end with an error', async () => {
  const message = 'x'.repeat(1_000_000);
  const path = await service.pipeline('long', '[{ command: one }]');
  await service.post(`${path}/builds`, { commit: 'HEAD', branch: 'main', message });
  const messages = Array.from({ length: 1000 }, (_, index) => `a${index}: message`).join(' ');
  const { status, json } = await ask(`{ build(slug: "local/long/1") { ${messages} } }`);
  expect(status).toBe(200);
  expect(json['errors']).toEqual([
    { message: 'The query asks for more than 64 MiB of text: ask for fewer or smaller pages' },
  ]);
});

test('the whole introspection of tools is far below', async () => {
  const { json } = await ask(getIntrospectionQuery({ inputValueDeprecation: true }));
  expect(json['errors']).toBeUndefined();
});
