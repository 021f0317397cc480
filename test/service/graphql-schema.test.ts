import { getIntrospectionQuery, buildClientSchema, type IntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCounterpart, type Counterpart } from './counterpart.ts';
import { enums, inputs, objects, possible } from './graphql-public.ts';
import { scriptedRunner } from './scripted-runner.ts';

/** Clients read the schema first: names and types must be those of the public service. */
let service: Counterpart;
let types: Map<string, Described>;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner() });
  const reply = await service.post('/v1', { query: introspection });
  const { data } = reply.json as unknown as { data: { __schema: { types: Described[] } } };
  types = new Map(data.__schema.types.map((type) => [type.name, type]));
});

afterAll(() => service.close());

interface TypeReference {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType?: TypeReference | null;
}

interface Member {
  readonly name: string;
  readonly type: TypeReference;
}

interface Described {
  readonly name: string;
  readonly kind: string;
  readonly fields: readonly Member[] | null;
  readonly inputFields: readonly Member[] | null;
  readonly enumValues: readonly { readonly name: string }[] | null;
  readonly possibleTypes: readonly { readonly name: string }[] | null;
}

const reference =
  'kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } }';
const introspection = `{ __schema { types {
  name kind
  fields { name type { ${reference} } }
  inputFields { name type { ${reference} } }
  enumValues { name }
  possibleTypes { name }
} } }`;

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean).sort();

function written({ kind, name, ofType }: TypeReference): string {
  if (ofType == null) return name ?? '';
  return kind === 'NON_NULL' ? `${written(ofType)}!` : `[${written(ofType)}]`;
}

const members = (list: readonly Member[] | null | undefined): string[] =>
  (list ?? []).map(({ name, type }) => `${name}:${written(type)}`).sort();

const names = (list: readonly { readonly name: string }[] | null | undefined): string[] =>
  (list ?? []).map(({ name }) => name).sort();

describe('matches the public schema', () => {
  test.each(Object.entries(objects))('members of %s', (name, { members: expected }) => {
    expect(members(types.get(name)?.fields)).toEqual(words(expected));
  });

  test.each(Object.entries(inputs))('members of the input %s', (name, expected) => {
    expect(members(types.get(name)?.inputFields)).toEqual(words(expected));
  });

  test.each(Object.entries(enums))('values of %s', (name, expected) => {
    expect(names(types.get(name)?.enumValues)).toEqual(words(expected));
  });

  test.each(Object.entries(possible))('kinds of %s', (name, expected) => {
    expect(names(types.get(name)?.possibleTypes)).toEqual(words(expected));
  });

  test('connections have count, edges and page information', () => {
    const connections = [...types.values()].filter(({ name }) => /.Connection$/.test(name));
    expect(connections.length).toBeGreaterThan(9);
    for (const { name, fields } of connections) {
      const edge = name.replace('Connection', 'Edge');
      const node = name.replace('Connection', '');
      expect(members(fields)).toEqual(words(`count:Int! edges:[${edge}] pageInfo:PageInfo`));
      expect(members(types.get(edge)?.fields)).toEqual(words(`cursor:String! node:${node}`));
    }
  });

  test('there are no types besides the listed ones', () => {
    const kinds = new Map<string, object>([
      ['OBJECT', objects],
      ['INTERFACE', objects],
      ['ENUM', enums],
      ['INPUT_OBJECT', inputs],
      ['UNION', possible],
    ]);
    expect(types.size).toBeGreaterThan(50);
    for (const { name, kind } of types.values()) {
      if (name.startsWith('__') || /.(Connection|Edge)$/.test(name)) continue;
      const list = kinds.get(kind);
      if (list !== undefined) expect([name, Object.hasOwn(list, name)]).toEqual([name, true]);
    }
  });
});

test('types that the public service lacks are deprecated, and work', async () => {
  const query = `{ __type(name: "Build") { fields(includeDeprecated: true) {
    name isDeprecated deprecationReason
  } } }`;
  const { json } = await service.post('/v1', { query });
  const build = json.data as unknown as { __type: { fields: object[] } };
  expect(build.__type.fields).toContainEqual({
    name: 'blocked',
    isDeprecated: true,
    deprecationReason: 'Only available in the local service',
  });
});

test('a client can build a schema from the usual introspection', async () => {
  const { json } = await service.post('/v1', { query: getIntrospectionQuery() });
  const schema = buildClientSchema(json.data as unknown as IntrospectionQuery);
  expect(schema.getMutationType()?.name).toBe('Mutation');
  expect(schema.getType('JobStates')).toBeDefined();
});
