/** Pages of agents and webhooks, and files of artifacts, for signed-in users. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from '../../src/cli/parse.ts';
import { signIn, type Browse } from '../support/sign-in.ts';
import { createCounterpart, type Counterpart } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';

const org = '/v2/organizations/local';
const hostile = '<img src=x onerror=alert(1)>';
const runner = scriptedRunner();
let service: Counterpart;
let look: Browse;
/** The path of the pipeline `p`, which has a running job. */
let path: string;

beforeAll(async () => {
  service = await createCounterpart({ runner, slots: 2, tags: [`os=${hostile}`, 'queue=default'] });
  look = await signIn(service);
  path = await service.pipeline('p', `[{ command: one, agents: { queue: default } }]`);
  await service.post(`${path}/builds`, { commit: 'HEAD', branch: 'main' });
});

afterAll(() => service.close());

const textOf = async (address: string): Promise<string> => {
  const response = await look(address);
  expect(response.status, address).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  return response.text();
};

async function agents() {
  const { list } = await service.get(`${org}/agents`);
  return list as unknown as { name: string; web_url: string; job: { web_url: string } | null }[];
}

test('the page of an agent shows its state, and links to its job', async () => {
  const build = await service.until(`${path}/builds/1`, ({ state }) => state === 'running');
  const all = await agents();
  const busy = all.find(({ job }) => job !== null);
  const idle = all.find(({ job }) => job === null);
  const page = await textOf(busy?.web_url ?? '');
  expect(page).toContain(`>${busy?.name ?? '?'}<`);
  expect(page).toMatch(/class="state[^>]*>.*busy/s);
  expect(page).toContain(`href="/local/p/builds/1#${build.jobs[0]?.id ?? '?'}"`);
  const other = await textOf(idle?.web_url ?? '');
  expect(other).toMatch(/class="state[^>]*>.*idle/s);
  expect(other).not.toContain('/builds/1');
});

test("shows an agent's tags as text", async () => {
  const [agent] = await agents();
  const page = await textOf(agent?.web_url ?? '');
  expect(page).toContain('os=&lt;img src=x onerror=alert(1)&gt;');
  expect(page).not.toContain('<img');
});

test('the page of a webhook shows its pipeline, and how to create builds', async () => {
  const { json } = await service.get(path);
  const { webhook_url: address } = json['provider'] as { webhook_url: string };
  const page = await textOf(address);
  expect(page).toContain('href="/local/p"');
  expect(page).toContain('href="/local/p/builds/new"');
  const [, line = ''] = /<code>(cictl [^<]*)</.exec(page) ?? [];
  expect(parse(line.split(' ').slice(1))).toMatchObject({
    input: { commit: 'HEAD', branch: 'main' },
  });
});

test.each([
  '/organizations/local/agents/none',
  '/organizations/none/agents/none',
  '/webhooks/local/none',
  '/local/p/builds/1/jobs/none/artifacts/none',
])('there is no page %s', async (address) => {
  const response = await look(address);
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('the webhook of an invisible organization is not found', async () => {
  await service.admin('POST', '/organizations', { slug: 'second' });
  const { token } = await service.admin('POST', '/tokens', { organizations: ['second'] });
  const other = await signIn(service, token);
  const { json } = await service.get(path);
  const { webhook_url: address } = json['provider'] as { webhook_url: string };
  expect((await other(address)).status).toBe(404);
  const [agent] = await agents();
  expect((await other(agent?.web_url ?? '')).status).toBe(404);
});
