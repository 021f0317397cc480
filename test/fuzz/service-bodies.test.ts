/** Request bodies: texts come back as sent, and nothing causes an internal error. */
import fc from 'fast-check';
import {
  buildSchema,
  getNamedType,
  isInputObjectType,
  printType,
  type GraphQLField,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schemaText } from '../../src/service/graphql/execute-query.ts';
import { createCounterpart, type Counterpart } from '../service/counterpart.ts';
import { scriptedRunner } from '../service/scripted-runner.ts';
import { anyText, fuzzed } from '../support/fuzz.ts';

let service: Counterpart;
let path: string;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  path = await service.pipeline('p', '[{ command: one, key: k }, { block: two }]');
  await service.post(`${path}/builds`, { commit: 'HEAD', branch: 'main' });
});

afterAll(() => service.close());

/** Lone surrogates cannot be encoded, and NUL is rejected. */
const text = anyText([], 6).map((text) => text.replaceAll(/\p{Surrogate}|\0/gu, ''));
const key = text.filter((text) => text !== '');

test('meta-data and variables round-trip, and find their build', async () => {
  const drawn = fc.dictionary(key, text, { maxKeys: 3 });
  const env = fc.dictionary(fc.stringMatching(/^[A-Za-z_]\w{0,4}$/), text, { maxKeys: 3 });
  await fc.assert(
    fc.asyncProperty(drawn, env, text, async (metaData, env, message) => {
      const body = { commit: 'HEAD', branch: 'main', message, meta_data: metaData, env };
      const { status, json, text } = await service.post(`${path}/builds`, body);
      expect(status, text).toBe(201);
      const found = (await service.get(`${path}/builds/${json.number}`)).json;
      expect(found['meta_data']).toEqual(metaData);
      expect(found.env).toEqual(env);
      expect(found.message).toBe(message);
      const query = new URLSearchParams({ per_page: '1' });
      for (const [key, value] of Object.entries(metaData)) query.append(`meta_data[${key}]`, value);
      const isAskable = Object.keys(metaData).every((key) => !/[[\]]/.test(key));
      if (!isAskable) return;
      const { list } = await service.get(`${path}/builds?${query.toString()}`);
      expect(list.map(({ number }) => number)).toEqual([json.number]);
    }),
    fuzzed(60),
  );
});

const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      1.5,
      1e300,
      9007199254740993,
      '',
      'HEAD',
      'p',
      '{}',
    ),
    anyText(),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom('key', 'value', 'name', 'email'), anyText([], 2)),
      tie('value'),
      {
        maxKeys: 3,
      },
    ),
  ),
})).value;
const buildMembers = [
  'commit',
  'branch',
  'message',
  'author',
  'env',
  'meta_data',
  'clean_checkout',
  'pull_request_id',
];
const unseemly =
  /Internal|call stack|Cannot read|is not a function|\[object Object\]|\bundefined\b|SQLITE/;

test('any body creates a build, or is rejected with the reason', async () => {
  const body = fc.oneof(
    value,
    fc.dictionary(fc.constantFrom(...buildMembers), value, { maxKeys: 5 }),
  );
  await fc.assert(
    fc.asyncProperty(body, async (body) => {
      const { status, text } = await service.post(`${path}/builds`, body);
      expect([201, 400, 422], text).toContain(status);
      if (status !== 201) expect(text).not.toMatch(unseemly);
    }),
    fuzzed(150),
  );
});

const schema = buildSchema(schemaText);
type Field = GraphQLField<unknown, unknown>;
const fields: Field[] = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
  Object.values(type?.getFields() ?? {}).filter(({ args }) => args.length > 0),
);

/** Variables named like the arguments, with matching or other types. */
const request = fc.constantFrom(...fields).chain((field) =>
  fc.record({
    field: fc.constant(field),
    variables: fc.record(
      Object.fromEntries(
        field.args.map(({ name, type }) => {
          const input = getNamedType(type);
          if (!isInputObjectType(input)) return [name, value];
          const members = Object.keys(input.getFields());
          return [
            name,
            fc.oneof(value, fc.dictionary(fc.constantFrom(...members), value, { maxKeys: 6 })),
          ];
        }),
      ),
      { requiredKeys: [] },
    ),
    isText: fc.boolean(),
  }),
);

function queryOf({ name, args, type }: Field): string {
  const declared = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const kind = Object.hasOwn(schema.getMutationType()?.getFields() ?? {}, name)
    ? 'mutation'
    : 'query';
  const isLeaf = !printType(getNamedType(type)).includes('{');
  return `${kind}(${declared}) { ${name}(${passed}) ${isLeaf ? '' : '{ __typename }'} }`;
}

test('any GraphQL variables give data or readable errors', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ field, variables, isText }) => {
      const given = isText ? JSON.stringify(variables) : variables;
      const { status, text, json } = await service.post('/v1', {
        query: queryOf(field),
        variables: given,
      });
      expect(status, text).toBe(200);
      expect(JSON.stringify(json['errors'] ?? [])).not.toMatch(unseemly);
    }),
    fuzzed(200),
  );
});

test('any GraphQL body gives a response, or is rejected readably', async () => {
  const query = fc.oneof(
    value,
    fc.constantFrom('{ viewer { id } }', 'query A { __typename } query B { __typename }'),
  );
  await fc.assert(
    fc.asyncProperty(query, value, value, async (query, variables, operationName) => {
      const { status, text } = await service.post('/v1', { query, variables, operationName });
      expect([200, 400], text).toContain(status);
      expect(text).not.toMatch(/Internal|call stack|Cannot read|is not a function/);
    }),
    fuzzed(150),
  );
});
