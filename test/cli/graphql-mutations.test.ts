/** `graphql` with mutations, against the built-in service. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { createService, type TestService } from '../support/service.ts';
import { pipelineIn } from '../run/pipelines.ts';

let service: TestService;
let pipeline: string;

beforeAll(async () => {
  service = await createService();
  await pipelineIn(service.home, 'web', "steps: [{ block: 'Go?' }]");
  const env = { CICTL_DATA_DIR: join(service.home.root, 'service') };
  await cictl(['local', 'pipeline', 'add', 'web'], { home: service.home, env });
  const query = '{ pipeline(slug: "local/web") { id } }';
  pipeline = (await graphql(query, '--jq', '.data.pipeline.id')).stdout.trim();
});
afterAll(() => service.stop());

const graphql = (...args: string[]) => cictl(['graphql', ...args], { home: service.home });

const create = `mutation($id: ID!, $message: String) {
  buildCreate(input: { pipelineID: $id, message: $message, clientMutationId: "mine" }) {
    clientMutationId build { number message state createdBy { ... on User { name } } } } }`;

const count = async (): Promise<string> =>
  (await graphql('{ viewer { builds { count } } }', '--jq', '.data.viewer.builds.count')).stdout;

test('creates a build, unblocks its step, and rejects the next change', async () => {
  const made = await graphql(create, '-f', `id=${pipeline}`, '-f', 'message=by hand');
  expect([made.exitCode, made.stderr]).toEqual([0, '']);
  expect(JSON.parse(made.stdout)).toMatchObject({
    data: { buildCreate: { clientMutationId: 'mine', build: { number: 1, message: 'by hand' } } },
  });
  const query =
    '{ build(slug: "local/web/1") { jobs { edges { node { ... on JobTypeBlock { id } } } } } }';
  const job = await graphql(query, '--jq', '.data.build.jobs.edges[0].node.id');
  const unblock =
    'mutation($id: ID!) { jobTypeBlockUnblock(input: { id: $id }) { jobTypeBlock { state } } }';
  const first = await graphql(unblock, '-f', `id=${job.stdout.trim()}`);
  expect([first.exitCode, first.stdout]).toEqual([0, expect.stringContaining('"UNBLOCKED"')]);
  const second = await graphql(unblock, '-f', `id=${job.stdout.trim()}`);
  expect([second.exitCode, second.stderr]).toEqual([
    8,
    "cictl: the service rejected the query: The job's state must be blocked\n",
  ]);
});

test('--dry-run prints the request and sends nothing', async () => {
  const before = await count();
  const { exitCode, stdout } = await graphql(create, '-f', `id=${pipeline}`, '--dry-run');
  expect([exitCode, stdout]).toEqual([
    0,
    `POST ${service.url}/v1\n${JSON.stringify({ query: create, variables: { id: pipeline } })}\n`,
  ]);
  expect(await count()).toBe(before);
});

test('variables from a file reach typed inputs', async () => {
  const file = join(service.home.cwd, 'variables.json');
  const input = { pipelineID: pipeline, env: ['A=1'], metaData: [{ key: 'k', value: 'v' }] };
  await writeFile(file, JSON.stringify({ input }));
  const query = `mutation($input: BuildCreateInput!) { buildCreate(input: $input) {
    build { env metaData { edges { node { key value } } } } } }`;
  const { stdout } = await graphql(
    query,
    '--variables',
    `@${file}`,
    '--jq',
    '.data.buildCreate.build',
  );
  expect(JSON.parse(stdout)).toEqual({
    env: ['A=1'],
    metaData: { edges: [{ node: { key: 'k', value: 'v' } }] },
  });
});
