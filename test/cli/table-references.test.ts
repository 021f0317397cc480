/** What the next command needs is never truncated, however narrow the table is. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { cictl } from '../support/cli.ts';

const uuid = (last: number): string => `0190046e-e199-453b-a302-${String(last).padStart(12, '0')}`;
const key = 'unit-tests-of-the-payment-service-on-linux-arm64';
const slug = 'payment-service-with-a-very-long-name-that-goes-on-and-on';
const context = 'coverage of the payment service, by package and by file, linux';
const org = 'an-organization-with-a-long-slug-of-its-own';

const job = { id: uuid(1), type: 'script', state: 'passed', name: 'Unit tests', step_key: key };
const build = {
  number: 123456,
  state: 'passed',
  branch: 'feature/with-a-long-name-of-a-branch',
  message: 'A message that goes on for longer than any terminal is wide, and then some more of it',
  creator: { name: 'Ada Lovelace' },
  created_at: '2026-11-20T10:00:00Z',
  pipeline: { slug },
  url: `http://127.0.0.1/v2/organizations/${org}/pipelines/${slug}/builds/123456`,
  jobs: [job],
};
const rule = {
  uuid: uuid(2),
  type: 'pipeline.trigger_build.pipeline',
  source_uuid: uuid(3),
  target_uuid: uuid(4),
  effect: 'allow',
  created_at: '2026-11-20T10:00:00Z',
};
const annotation = { id: uuid(5), context, style: 'info', priority: 3, updated_at: null };

const replies: readonly (readonly [RegExp, unknown])[] = [
  [/\/annotations/, [annotation]],
  [/\/rules/, [rule]],
  [/\/builds\/\d+/, build],
  [/\/builds/, [build]],
  [/\/organizations$/, [{ slug: org, name: 'Acme', web_url: 'http://127.0.0.1/acme' }]],
];

async function run(args: readonly string[], more: Readonly<Record<string, string>>) {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    const found = replies.find(([pattern]) => pattern.test(path));
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found?.[1] ?? {}));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { CICTL_TOKEN: 'token-of-a-test', CICTL_BASE_URL: url, CICTL_ORG: 'acme', ...more };
  const result = await cictl(args, { env });
  expect([result.exitCode, result.stderr]).toEqual([0, '']);
  return result;
}

const printed = async (args: readonly string[], columns: number): Promise<string> =>
  (await run([...args, '-o', 'table'], { COLUMNS: String(columns) })).stdout;

test.each([
  [['builds', 'list', '-p', 'web'], ['123456']],
  [['builds', 'list'], [`${slug}/123456`]],
  [['builds', 'list', '--all-orgs'], [`${org}/${slug}/123456`]],
  [['builds', 'list', '--fields', 'message,pipeline.slug'], [slug]],
  [['job', 'list', 'web/7', '--fields', 'name,step_key'], [key]],
  [['annotations', 'list', 'web/7', '--fields', 'style,context'], [context]],
  [['rules', 'list', '--fields', 'type,uuid'], [uuid(2)]],
  [['orgs', 'list'], [org]],
] as const)('%j keeps %j at any width', async (args, wanted) => {
  for (const columns of [200, 120, 80, 60, 40, 20]) {
    const text = await printed(args, columns);
    for (const one of wanted) expect(text.split(/ {2,}|\n/), String(columns)).toContain(one);
  }
});

test("truncates a context if the annotation's style would not fit", async () => {
  for (const columns of [120, 80, 60, 40]) {
    const rows = (await printed(['annotations', 'list', 'web/7'], columns)).trimEnd().split('\n');
    expect(rows[0]).toMatch(/^CONTEXT +STYLE/);
    expect(rows[1]).toMatch(
      columns < 80 ? /^coverage of .*…  info/ : new RegExp(`^${context}  info`),
    );
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(columns);
  }
});

test('empty columns take no room unless requested', async () => {
  const [head = ''] = (await printed(['job', 'list', 'web/7'], 200)).split('\n');
  expect(head.split(/\s+/)).toEqual(['STATE', 'NAME', 'KEY', 'ID']);
  const asked = await printed(['job', 'list', 'web/7', '--fields', 'id,exit_status'], 200);
  expect(asked.split('\n')[0]?.split(/\s+/)).toEqual(['ID', 'EXIT_STATUS']);
});

test('TSV keeps all its columns', async () => {
  const { stdout } = await run(['job', 'list', 'web/7'], {});
  expect(stdout.split('\t')).toHaveLength(9);
});
