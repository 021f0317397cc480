/** Artifacts through GraphQL, as the official tool downloads them. */
import { expect, test } from 'vitest';
import { useCounterpart, type Counterpart, type Wire } from './counterpart.ts';
import { scriptedRunner, type ScriptedRunner } from './scripted-runner.ts';

const builds = '/v2/organizations/local/pipelines/p/builds';

/** A running job that has announced files, of which the first is uploaded. */
async function useArtifacts(sizes: Record<string, number>) {
  const runner = scriptedRunner();
  const service = await useCounterpart({ runner });
  const path = await service.pipeline('p', 'steps: [{ key: one, command: one }]');
  await service.post(`${path}/builds`, { commit: 'HEAD', branch: 'main' });
  await expect.poll(() => runner.works.length).toBe(1);
  const files = Object.entries(sizes).map(([name, size]) => ({ ...file(name), file_size: size }));
  const { ids, addresses } = await announce(service, runner, files);
  return { service, ids, addresses };
}

const file = (path: string): object => ({
  ...{ path, absolute_path: `/w/${path}`, glob_path: '*', content_type: 'text/plain' },
  ...{ sha1sum: 'a'.repeat(40), sha256sum: 'b'.repeat(64) },
});

async function announce(service: Counterpart, { works }: ScriptedRunner, artifacts: object[]) {
  const { jobId = '', hiddenEnv = {} } = works[0] ?? {};
  const authorization = `Token ${hiddenEnv['CICTL_TOKEN'] ?? ''}`;
  const send = (method: string, body: object) =>
    service.send(`/v3/jobs/${jobId}/artifacts`, {
      ...{ method, body, token: null, headers: { authorization } },
    });
  const { json } = await send('POST', { id: 'batch', artifacts, upload_destination: '' });
  const { artifact_ids: ids, per_artifact_instructions: each } = json as unknown as {
    artifact_ids: string[];
    per_artifact_instructions: Record<string, { actions: { url: string }[] }>;
  };
  const addresses = ids.map((id) => each[id]?.actions[0]?.url.replace(service.url, '') ?? '');
  await service.send(addresses[0] ?? '', { method: 'PUT', raw: 'hello', token: null });
  await send('PUT', { artifacts: [{ id: ids[0], state: 'finished' }] });
  return { ids, addresses };
}

const ask = async (service: Counterpart, query: string, id = ''): Promise<Wire> =>
  (await service.post('/v1', { query, variables: { id } })).json;

test('the official tool downloads an artifact by its id', async () => {
  const { service, ids } = await useArtifacts({ 'out/a.txt': 5 });
  const query = `query GetArtifacts($id: ID!) { artifact(uuid: $id) { uuid path downloadURL
    job { uuid pipeline { name } build { number } } } }`;
  const { data } = await ask(service, query, ids[0]);
  expect(data['artifact']).toMatchObject({
    ...{ uuid: ids[0], path: 'out/a.txt' },
    job: { pipeline: { name: 'p' }, build: { number: 1 } },
  });
  const url = (data['artifact'] as Wire)['downloadURL'] as string;
  const content = await service.get(url.replace(service.url, ''), { token: null });
  expect([content.status, content.text]).toEqual([200, 'hello']);
});

test("lists a job's artifacts in order, by cursor, and each by its id", async () => {
  const { service } = await useArtifacts({ a: 5, b: 0, c: 2 ** 33 });
  const shown = (await service.get(`${builds}/1`)).json.jobs[0]?.id;
  const query = `query($id: ID!) { job(uuid: $id) { ... on JobTypeCommand { artifacts(first: 5) {
    count edges { node { id path mimeType sha1sum sha256sum size state expiresAt } } } } } }`;
  const { data } = await ask(service, query, shown);
  const { artifacts } = data['job'] as { artifacts: { count: number; edges: { node: Wire }[] } };
  expect([artifacts.count, artifacts.edges.map(({ node }) => node)]).toMatchObject([
    3,
    [
      ...[{ path: 'a', mimeType: 'text/plain', size: 5, state: 'finished', expiresAt: null }],
      ...[{ path: 'b', size: 0, state: 'new' }],
      // The maximum of a GraphQL Int.
      { path: 'c', size: 2 ** 31 - 1 },
    ],
  ]);
  const id = artifacts.edges[1]?.node.id;
  const node = await ask(
    service,
    `query($id: ID!) { node(id: $id) { ... on Artifact { path } } }`,
    id,
  );
  expect(node.data).toEqual({ node: { path: 'b' } });
});

test('another organization cannot see them', async () => {
  const { service, ids } = await useArtifacts({ a: 5 });
  const other = await service.admin('POST', '/organizations', { slug: 'other', name: 'Other' });
  expect(other.slug).toBe('other');
  const { token } = await service.admin('POST', '/tokens', {
    ...{ organizations: ['other'], scopes: ['graphql'] },
  });
  const query = 'query($id: ID!) { artifact(uuid: $id) { path } }';
  const sending = { token };
  const reply = await service.post('/v1', { query, variables: { id: ids[0] } }, sending);
  expect(reply.json.data).toEqual({ artifact: null });
});
