/** "Limits": pagination of each list, and one retry per ID. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart } from '../service/counterpart.ts';
import { scriptedRunner } from '../service/scripted-runner.ts';

const org = '/v2/organizations/local';
const build = `${org}/pipelines/p/builds/1`;
let service: Counterpart;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  const path = await service.pipeline('p', "[{ command: 'exit 1' }]");
  for (const branch of ['a', 'b']) await service.post(`${path}/builds`, { commit: 'HEAD', branch });
  await service.settled(build);
  for (const context of ['a', 'b'])
    await service.post(`${build}/annotations`, { body: 'x', context });
  const value = { source_pipeline: 'p', target_pipeline: 'p' };
  for (const action of ['trigger_build', 'artifacts_read'])
    await service.post(`${org}/rules`, { type: `pipeline.${action}.pipeline`, value });
  await service.admin('POST', '/organizations', { slug: 'second' });
});

afterAll(() => service.close());

test.each([
  ['builds', '/v2/builds'],
  ['annotations', `${build}/annotations`],
  ['rules', `${org}/rules`],
  ['organizations', '/v2/organizations'],
])('%s come in pages', async (_, path) => {
  const { token } = await service.admin('POST', '/tokens', {});
  const first = await service.get(`${path}?per_page=1`, { token });
  const next = `${service.url}${path}?per_page=1&page=2`;
  expect(first.headers['link']).toContain(`<${next}>; rel="next"`);
  const second = await service.get(next.slice(service.url.length), { token });
  expect([first.list, second.list]).toMatchObject([[{}], [{}]]);
  expect(second.text).not.toBe(first.text);
  expect(String(second.headers['link'])).not.toContain('rel="next"');
});

test('a further retry takes the id of the job that the retry before gave', async () => {
  const { json } = await service.get(build);
  let id = json.jobs[0]?.id ?? '';
  for (const count of [1, 2]) {
    const reply = await service.put(`${build}/jobs/${id}/retry`);
    expect([reply.status, reply.json['retries_count']]).toEqual([200, count]);
    await service.settled(build);
    const again = await service.put(`${build}/jobs/${id}/retry`);
    expect([again.status, again.json.message]).toEqual([422, 'Jobs can only be retried once']);
    ({ id } = reply.json);
  }
});
