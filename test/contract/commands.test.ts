/** Each endpoint that no other test covers: a command line and the request that it sends. */
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { serve, type Exchange } from '../support/server.ts';

const org = '/v2/organizations/acme';
const build = `${org}/pipelines/web/builds/7`;
const id = '0190046e-e199-453b-a302-a21a4d649d31';
const [source, target] = [id.replace('d31', 'aaa'), id.replace('d31', 'bbb')];
const jobs = [
  { id, type: 'script', state: 'failed', name: 'test' },
  { id: source, type: 'manual', state: 'blocked', name: 'Go?', unblockable: true },
];
const look = { path: build, answer: { json: { number: 7, state: 'failed', jobs } } };
const one = { json: { id, uuid: id, web_url: 'https://ci/x' } };
const bearer = { authorization: 'Bearer access-token' };

interface Row {
  readonly call: string;
  readonly args: readonly string[];
  /** The last one is the call; the others lead to it. */
  readonly exchanges: readonly Exchange[];
}

const rows: readonly Row[] = [
  { call: 'GET a build', args: ['builds', 'view', 'web/7'], exchanges: [look] },
  {
    call: 'PUT retry',
    args: ['job', 'retry', `web/7#${id}`],
    exchanges: [look, { method: 'PUT', path: `${build}/jobs/${id}/retry`, body: '', answer: one }],
  },
  {
    call: 'PUT unblock',
    args: ['job', 'unblock', `web/7#${source}`],
    exchanges: [look, { method: 'PUT', path: `${build}/jobs/${source}/unblock`, answer: one }],
  },
  {
    call: 'PUT unblock with unblocker and fields',
    args: [
      ...['job', 'unblock', `web/7#${source}`, '--unblocker', target],
      ...['--field', 'name=a', '--field', 'where=b', '--field', 'where=c'],
    ],
    exchanges: [
      look,
      {
        method: 'PUT',
        path: `${build}/jobs/${source}/unblock`,
        body: { unblocker: target, fields: { name: 'a', where: ['b', 'c'] } },
        answer: one,
      },
    ],
  },
  {
    call: 'DELETE log',
    args: ['job', 'delete-log', `web/7#${id}`, '--yes'],
    exchanges: [{ method: 'DELETE', path: `${build}/jobs/${id}/log`, answer: { status: 204 } }],
  },
  {
    call: 'GET env',
    args: ['job', 'env', `web/7#${id}`, '--json'],
    exchanges: [{ path: `${build}/jobs/${id}/env`, answer: { json: { env: { A: 'b' } } } }],
  },
  {
    call: 'GET env.txt',
    args: ['job', 'env', `web/7#${id}`, '--format', 'raw'],
    exchanges: [
      {
        path: `${build}/jobs/${id}/env.txt`,
        headers: { accept: 'text/plain' },
        answer: { body: 'A=b\n' },
      },
    ],
  },
  {
    call: 'GET annotations',
    args: ['annotations', 'list', 'web/7'],
    exchanges: [{ path: `${build}/annotations?per_page=100`, answer: { json: [] } }],
  },
  {
    call: 'GET rules',
    args: ['rules', 'list'],
    exchanges: [{ path: `${org}/rules?per_page=100`, answer: { json: [] } }],
  },
  {
    call: 'GET a rule',
    args: ['rules', 'view', id],
    exchanges: [{ path: `${org}/rules/${id}`, answer: one }],
  },
  {
    call: 'POST rules',
    args: [
      ...['rules', 'create', '--type', 'pipeline.trigger_build.pipeline'],
      ...['--source', source, '--target', target],
    ],
    exchanges: [
      {
        method: 'POST',
        path: `${org}/rules`,
        body: {
          type: 'pipeline.trigger_build.pipeline',
          value: { source_pipeline_uuid: source, target_pipeline_uuid: target },
        },
        answer: { ...one, status: 201 },
      },
    ],
  },
  {
    call: 'DELETE a rule',
    args: ['rules', 'delete', id, '--yes'],
    exchanges: [{ method: 'DELETE', path: `${org}/rules/${id}`, answer: { status: 204 } }],
  },
  {
    call: 'GET organizations',
    args: ['orgs', 'list'],
    exchanges: [{ path: '/v2/organizations?per_page=100', answer: { json: [] } }],
  },
  {
    call: 'GET an organization',
    args: ['orgs', 'view', 'other'],
    exchanges: [{ path: '/v2/organizations/other', answer: one }],
  },
  {
    call: 'GET emojis',
    args: ['emojis', 'list'],
    exchanges: [{ path: `${org}/emojis`, answer: { json: [] } }],
  },
  {
    call: 'GET access-token',
    args: ['token', 'view'],
    exchanges: [{ path: '/v2/access-token', answer: { json: { uuid: id, scopes: [] } } }],
  },
  {
    call: 'DELETE access-token',
    args: ['token', 'revoke', '--yes'],
    exchanges: [{ method: 'DELETE', path: '/v2/access-token', answer: { status: 204 } }],
  },
  {
    call: 'GET metrics',
    args: ['metrics', '--json'],
    exchanges: [
      {
        path: '/v3/metrics',
        headers: { authorization: 'Token agent-token' },
        answer: {
          json: {
            agents: { idle: 0, busy: 0, total: 0 },
            jobs: { scheduled: 0, running: 0, waiting: 0, total: 0 },
            organization: { slug: 'acme' },
          },
        },
      },
    ],
  },
  {
    call: 'POST v1',
    args: ['graphql', 'query A { viewer { id } }', '-F', 'n=1', '--operation', 'A'],
    exchanges: [
      {
        method: 'POST',
        path: '/v1',
        headers: { 'content-type': 'application/json' },
        body: { query: 'query A { viewer { id } }', variables: { n: 1 }, operationName: 'A' },
        answer: { json: { data: {} } },
      },
    ],
  },
];

const named = rows.map((row) => [row.call, row] as const);

test.each(named)('a command sends %s', async (_, { args, exchanges }) => {
  const authorized = exchanges.map((one) => ({ ...one, headers: { ...bearer, ...one.headers } }));
  const { exitCode, stderr } = await run(args, authorized);
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('not expected')]);
});

async function run(args: readonly string[], exchanges: readonly Exchange[]) {
  const server = await serve(exchanges);
  const env = {
    CICTL_BASE_URL: server.url,
    CICTL_TOKEN: 'access-token',
    CICTL_AGENT_TOKEN: 'agent-token',
    CICTL_ORG: 'acme',
  };
  const result = await cictl(args, { env });
  // Reports an unexpected request before its consequences.
  await server.finish();
  return result;
}

const signature = { value: 'v', algorithm: 'EdDSA', signed_fields: ['command', 'env'] };

test.each([
  ['value', 'v'],
  ['algorithm', 'EdDSA'],
  ['signed_fields', '["command","env"]'],
])('a command reads %s of a signature', async (member, expected) => {
  const signed = [{ ...jobs[0], step: { id: source, signature } }];
  const { stdout } = await run(
    ['job', 'view', `web/7#${id}`, '--json', '--jq', `.step.signature.${member} | tostring`],
    [{ path: build, answer: { json: { number: 7, jobs: signed } } }],
  );
  expect(stdout).toBe(`${expected}\n`);
});

test('a command asks for builds that were not run, and shows their state', async () => {
  const list = `${org}/pipelines/web/builds?per_page=30&state=not_run`;
  const { stdout } = await run(
    ['builds', 'list', 'web', '--state', 'not_run', '--fields', 'state'],
    [{ path: list, answer: { json: [{ number: 7, state: 'not_run' }] } }],
  );
  expect(stdout).toBe('not_run\n');
});
