import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart, type Sending, type Wire } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';

let service: Counterpart;
let build: Wire;

const file = `
steps:
  - { label: one, key: first, command: 'true' }
  - wait
  - { label: two, command: 'exit 1' }
  - { block: 'Go?' }
`;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  const path = await service.pipeline('p', file);
  for (let number = 1; number <= 5; number++) {
    const branch = number % 2 === 0 ? 'even' : 'odd';
    const meta = { n: String(number), a: 'b:c' };
    await service.post(`${path}/builds`, {
      commit: 'HEAD',
      branch,
      message: `m${number}`,
      meta_data: meta,
    });
    build = await service.settled(`${path}/builds/${number}`);
  }
  await service.post(`${path}/builds/5/annotations`, { body: '*x*', context: 'c', style: 'error' });
});

afterAll(() => service.close());

async function query(text: string, more: object = {}, sending: Sending = {}) {
  const reply = await service.post('/v1', { query: text, ...more }, sending);
  return { status: reply.status, ...(reply.json as object) };
}

test('runs the example of the specification', async () => {
  const text =
    '{ viewer { user { name builds(first: 2) { edges { node { number branch message } } } } } }';
  expect(await query(text)).toEqual({
    status: 200,
    data: {
      viewer: {
        user: {
          name: 'Local user',
          builds: {
            edges: [
              { node: { number: 5, branch: 'odd', message: 'm5' } },
              { node: { number: 4, branch: 'even', message: 'm4' } },
            ],
          },
        },
      },
    },
  });
});

const paged = `
  query Builds($slug: ID!, $endCursor: String, $first: Int = 2) {
    pipeline(slug: $slug) {
      builds(first: $first, after: $endCursor) {
        count
        edges { cursor node { number } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`;

interface Page {
  readonly data: {
    readonly pipeline: {
      readonly builds: {
        readonly count: number;
        readonly edges: readonly { readonly cursor: string; readonly node: Wire }[];
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
      };
    };
  };
}

test('pages by cursor, unaffected by new builds', async () => {
  const seen: number[] = [];
  let endCursor: string | null = null;
  for (;;) {
    const variables = { slug: 'local/p', endCursor };
    const { data } = (await query(paged, { variables })) as unknown as Page;
    const { edges, pageInfo } = data.pipeline.builds;
    seen.push(...edges.map(({ node }) => node.number));
    expect(edges.at(-1)?.cursor).toBe(pageInfo.endCursor);
    if (!pageInfo.hasNextPage) break;
    endCursor = pageInfo.endCursor;
    await service.post('/v2/organizations/local/pipelines/p/builds', {
      commit: 'HEAD',
      branch: 'other',
    });
  }
  expect(seen).toEqual([5, 4, 3, 2, 1]);
});

test.each<[string, unknown]>([
  ['an object', { slug: 'local/p', first: 1 }],
  ['a text', '{"slug":"local/p","first":1}'],
])('variables as %s', async (_, variables) => {
  const { data } = (await query(paged, { variables })) as unknown as Page;
  expect(data.pipeline.builds.edges).toHaveLength(1);
});

test.each([null, '', undefined])('variables omitted as %j', async (variables) => {
  expect(await query('{ viewer { id } }', { variables })).toMatchObject({
    data: { viewer: { id: 'viewer' } },
  });
});

test('selects an operation by name', async () => {
  const text = 'query A { viewer { id } } query B { viewer { user { name } } }';
  expect(await query(text, { operationName: 'B' })).toMatchObject({
    data: { viewer: { user: { name: 'Local user' } } },
  });
  expect(await query(text)).toMatchObject({ errors: [{}] });
});

test('a build with its jobs, by fragments on their kinds', async () => {
  const text = `
    fragment common on JobTypeCommand { uuid state label exitStatus passed step { key } agent { name } }
    { build(slug: "local/p/5") {
        uuid state url blocked createdBy { ... on User { email } } pipeline { slug } organization { slug }
        metaData(first: 1) { count edges { node { key value } } }
        annotations { edges { node { context style priority body { html text } } } }
        jobs(first: 10) { count edges { node {
          __typename
          ...common
          ... on JobTypeWait { uuid state label }
          ... on JobTypeBlock { uuid state label isUnblockable unblockedBy { name } }
        } } }
    } }`;
  const id = (index: number): string => build.jobs[index]?.id ?? '';
  expect(await query(text)).toEqual({
    status: 200,
    data: {
      build: {
        uuid: build.id,
        state: 'FAILED',
        url: build['web_url'],
        blocked: false,
        createdBy: { email: 'local@localhost' },
        pipeline: { slug: 'p' },
        organization: { slug: 'local' },
        metaData: { count: 2, edges: [{ node: { key: 'n', value: '5' } }] },
        annotations: {
          edges: [
            {
              node: {
                context: 'c',
                style: 'ERROR',
                priority: 3,
                body: { html: '<p><em>x</em></p>', text: '*x*' },
              },
            },
          ],
        },
        jobs: {
          count: 4,
          edges: [
            {
              node: {
                __typename: 'JobTypeCommand',
                uuid: id(0),
                state: 'FINISHED',
                label: 'one',
                exitStatus: '0',
                passed: true,
                step: { key: 'first' },
                agent: { name: expect.stringMatching(/^local-\d$/) as string },
              },
            },
            { node: { __typename: 'JobTypeWait', uuid: id(1), state: 'FINISHED', label: 'wait' } },
            {
              node: {
                __typename: 'JobTypeCommand',
                uuid: id(2),
                state: 'FINISHED',
                label: 'two',
                exitStatus: '1',
                passed: false,
                step: { key: null },
                agent: { name: expect.stringMatching(/^local-\d$/) as string },
              },
            },
            {
              node: {
                __typename: 'JobTypeBlock',
                uuid: id(3),
                state: 'BLOCKED_FAILED',
                label: 'Go?',
                isUnblockable: false,
                unblockedBy: null,
              },
            },
          ],
        },
      },
    },
  });
});

const numbers = async (given: string): Promise<number[]> => {
  const text = `{ pipeline(slug: "local/p") { builds(${given}) { edges { node { number } } } } }`;
  const { data } = (await query(text)) as unknown as Page;
  return data.pipeline.builds.edges.map(({ node }) => node.number).filter((one) => one <= 5);
};

test.each([
  ['branch: "even"', [4, 2]],
  ['branch: ["even", "odd"], last: 2', [2, 1]],
  ['state: FAILED', [5, 4, 3, 2, 1]],
  ['state: [RUNNING, BLOCKED]', []],
  ['metaData: "n:3"', [3]],
  ['metaData: ["n:3", "a:b:c"]', [3]],
  ['first: 0', []],
])('builds(%s)', async (given, expected) => {
  expect(await numbers(given)).toEqual(expected);
});

test('finds objects by their ids', async () => {
  const ids = [build['graphql_id'], build.pipeline['graphql_id'], build.jobs[0]?.['graphql_id']];
  for (const [index, type] of ['Build', 'Pipeline', 'JobTypeCommand'].entries()) {
    const answer = await query('query($id: ID!) { node(id: $id) { __typename id } }', {
      variables: { id: ids[index] },
    });
    expect(answer).toMatchObject({ data: { node: { __typename: type, id: ids[index] } } });
  }
});

test('missing and invisible objects are null', async () => {
  await service.admin('POST', '/organizations', { slug: 'other' });
  const { token } = await service.admin('POST', '/tokens', { organizations: ['other'] });
  const text = `query($uuid: ID!) {
    organization(slug: "local") { id } pipeline(slug: "local/p") { id } build(uuid: $uuid) { id }
    viewer { user { builds { count } } }
  }`;
  expect(await query(text, { variables: { uuid: build.id } }, { token })).toEqual({
    status: 200,
    data: {
      organization: null,
      pipeline: null,
      build: null,
      viewer: { user: { builds: { count: 0 } } },
    },
  });
});

test.each([
  ['{ viewer {', 'Syntax Error'],
  ['{ nothing }', 'Cannot query field "nothing" on type "Query"'],
  ['', 'A query is required'],
  [
    '{ organization(slug: "local") { jobs(state: PASSED) { count } } }',
    'Value "PASSED" does not exist in "JobStates" enum',
  ],
  ['mutation { buildCancel(input: {}) { clientMutationId } }', '"BuildCancelInput.id" of required'],
  ['{ pipeline(slug: "local/p") { builds(first: 501) { count } } }', '`first` must be between'],
  [
    '{ pipeline(slug: "local/p") { builds(after: "x") { count } } }',
    'is not a valid cursor for this list',
  ],
  [`{ ${'viewer { id } '.repeat(4000)} }`, 'token'],
])('%.40s is an error in a 200 response', async (text, message) => {
  const answer = await query(text);
  expect(answer).toMatchObject({
    status: 200,
    errors: [{ message: expect.stringContaining(message) as string }],
  });
});

test('requires a token with its scope, and reports it in its own format', async () => {
  expect(await query('{ viewer { id } }', {}, { token: 'nobody' })).toMatchObject({
    status: 401,
    errors: [{ message: expect.stringMatching(/^Authentication required\./) as string }],
  });
  const { token } = await service.admin('POST', '/tokens', { scopes: ['read_builds'] });
  expect(await query('{ viewer { id } }', {}, { token })).toEqual({
    status: 403,
    errors: [{ message: "Your access token doesn't have the graphql scope" }],
  });
  expect(await query('{ viewer { id } }', { variables: '{' })).toMatchObject({ status: 400 });
});
