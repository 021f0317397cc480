import { expect, test } from 'vitest';
import type { PageCall } from './page-call.ts';
import { readPipelines } from './pipeline-lists.ts';

/** A page of 30 pipelines with 20 builds each, and the requests that it makes. */
function callOf(asked: string[]): PageCall {
  const pipelines = Array.from({ length: 30 }, (_, index) => ({
    id: `id${index}`,
    slug: `s${index}`,
  }));
  const builds = Array.from({ length: 20 }, (_, index) => ({ number: index }));
  const fetch = (path: string): Promise<Response> => {
    asked.push(path);
    return Promise.resolve(Response.json(path.includes('/builds?') ? builds : pipelines));
  };
  return {
    ...{ api: { fetch }, query: new URLSearchParams(), params: { org: 'o' }, context: {} },
    service: { clock: { now: () => 0 }, store: { accounts: { organization: () => undefined } } },
  } as unknown as PageCall;
}

test('a page asks once for its pipelines and once for the builds of each, without their jobs', async () => {
  const asked: string[] = [];
  await readPipelines(callOf(asked), 'o');
  expect(asked).toHaveLength(31);
  for (const path of asked.slice(1))
    expect(path).toMatch(/\/builds\?exclude_jobs=true&exclude_pipeline=true&per_page=20$/);
});

test('what is new in one pipeline asks for the builds of that one', async () => {
  const asked: string[] = [];
  const { cards } = await readPipelines(callOf(asked), 'o', ['id7']);
  expect(asked.map((path) => path.split('?')[0])).toEqual([
    '/v2/organizations/o/pipelines',
    '/v2/organizations/o/pipelines/s7/builds',
  ]);
  expect(cards).toMatchObject([{ pipeline: { slug: 's7' }, builds: { length: 20 } }]);
});
