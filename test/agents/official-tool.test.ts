/**
 * Sends the requests of the official tool's `agent list`, `agent stop`, `artifacts list` and
 * `artifacts download`, taken from its source, for a real agent.
 */
import { expect } from 'vitest';
import { eachAgent } from './each-agent.ts';
import type { Scene } from './scene.ts';

const organization = '/v2/organizations/local';

eachAgent(
  'the official tool lists and stops agents, and lists and downloads artifacts',
  async (scene) => {
    const command =
      'echo hello > a.txt; buildkite-agent artifact upload a.txt; echo ready; sleep 300';
    await scene.pipeline(`  - { key: work, command: '${command}' }`);
    const agent = scene.agent({ name: 'runner-1', args: ['--tags', 'queue=default,os=linux'] });
    const number = await scene.create();
    await scene.printed(number, 'work', 'ready\n');
    const id = await expectListed(scene);
    await expectArtifact(scene, number);
    const stopped = await send(scene, 'PUT', `${organization}/agents/${id}/stop`, { force: true });
    expect(Math.floor(stopped.status / 100)).toBe(2);
    await agent.ended;
    expect(await list(scene, 'page=1&per_page=30')).toEqual([]);
  },
);

async function expectListed(scene: Scene): Promise<string> {
  const [agent, ...others] = await list(scene, 'page=1&per_page=30');
  expect(others).toEqual([]);
  const version = scene.program.version.slice(1);
  expect(agent).toMatchObject({
    ...{ name: 'runner-1', connection_state: 'connected', paused: false, priority: 0 },
    ...{ meta_data: ['queue=default', 'os=linux'], job: { state: 'running', step_key: 'work' } },
    ...{ hostname: expect.stringMatching(/./) as string, ip_address: '127.0.0.1' },
    user_agent: expect.stringContaining('buildkite-agent/') as string,
    version: expect.stringContaining(version) as string,
  });
  const { hostname, version: shown } = agent as Record<string, string>;
  const search = async (filters: Record<string, string>): Promise<unknown[]> => {
    const query = new URLSearchParams({ ...filters, page: '1', per_page: '30' });
    return (await list(scene, String(query))).map(({ id }) => id);
  };
  const own = { name: 'runner-1', hostname: hostname ?? '', version: shown ?? '' };
  expect(await search(own)).toEqual([agent?.['id']]);
  for (const name of ['name', 'hostname', 'version']) {
    expect(await search({ [name]: 'other' }), name).toEqual([]);
  }
  return String(agent?.['id']);
}

async function expectArtifact(scene: Scene, number: number): Promise<void> {
  const path = `${organization}/pipelines/p/builds/${number}/artifacts`;
  const [artifact] = (await (await send(scene, 'GET', path)).json()) as Record<string, string>[];
  expect(artifact).toMatchObject({ path: 'a.txt', file_size: 6, state: 'finished' });
  const query = `query GetArtifacts ($artifactId: ID!) { artifact(uuid: $artifactId) { uuid path downloadURL } }`;
  const body = {
    query,
    variables: { artifactId: artifact?.['id'] },
    operationName: 'GetArtifacts',
  };
  const { data } = (await (await send(scene, 'POST', '/v1', body)).json()) as {
    data: { artifact: { downloadURL: string } };
  };
  expect(await (await fetch(data.artifact.downloadURL)).text()).toBe('hello\n');
}

const list = async (scene: Scene, query: string): Promise<Record<string, unknown>[]> => {
  const response = await send(scene, 'GET', `${organization}/agents?${query}`);
  return (await response.json()) as Record<string, unknown>[];
};

const send = ({ url, home }: Scene, method: string, path: string, body?: object) =>
  fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${home.env['CICTL_TOKEN'] ?? ''}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
