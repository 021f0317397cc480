/** Commands that read a single URL: rules, orgs, emojis, token. */
import { expect, test } from 'vitest';
import { acme, against, leadTo } from '../support/against.ts';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve, type Exchange } from '../support/server.ts';

const uuid = '42f1a7da-812d-4430-93d8-1cc7c33a6bcf';
const rule = {
  uuid,
  type: 'pipeline.trigger_build.pipeline',
  source_uuid: 'source-uuid',
  target_uuid: 'target-uuid',
  effect: 'allow',
  created_at: '2026-01-02T03:04:05.678Z',
  created_by: null,
  unknown_to_us: { big: '\u{1f680}' },
};
const organization = { slug: 'acme', name: 'Acme\tInc', web_url: null, extra: [1] };
const emojis = [
  { name: 'rocket', url: 'https://e/r.png', aliases: ['ship_it'] },
  { name: 'bear', url: 'https://e/b.png' },
];
const token = { uuid, scopes: ['read_builds', 'graphql'], description: null };

const get = (path: string, json: unknown): Exchange => ({
  path,
  headers: { authorization: 'Bearer access-token' },
  answer: { json },
});

const rows = [
  {
    args: ['rules', 'list'],
    exchange: get(`${acme}/rules?per_page=100`, [rule]),
    json: [rule],
    tsv: `${uuid}\tpipeline.trigger_build.pipeline\tsource-uuid\ttarget-uuid\tallow\t2026-01-02T03:04:05.678Z\n`,
  },
  {
    args: ['rule', 'view', uuid],
    exchange: get(`${acme}/rules/${uuid}`, rule),
    json: rule,
    tsv: `${uuid}\tpipeline.trigger_build.pipeline\tsource-uuid\ttarget-uuid\tallow\t2026-01-02T03:04:05.678Z\n`,
  },
  {
    args: ['orgs', 'ls'],
    exchange: get('/v2/organizations?per_page=100', [organization]),
    json: [organization],
    tsv: 'acme\tAcme\\tInc\t\t\n',
  },
  {
    args: ['org', 'view'],
    exchange: get(acme, organization),
    json: organization,
    tsv: 'acme\tAcme\\tInc\t\t\n',
  },
  {
    args: ['emojis', 'list'],
    exchange: get(`${acme}/emojis`, emojis),
    json: emojis,
    tsv: 'rocket\tship_it\thttps://e/r.png\nbear\t\thttps://e/b.png\n',
  },
  {
    args: ['emoji', 'list', '--search', 'IP_i'],
    exchange: get(`${acme}/emojis`, emojis),
    json: emojis.slice(0, 1),
    tsv: 'rocket\tship_it\thttps://e/r.png\n',
  },
  {
    args: ['token', 'view'],
    exchange: get('/v2/access-token', token),
    json: token,
    tsv: `${uuid}\tread_builds,graphql\t\n`,
  },
];

test.each(rows)('$args: rows in a pipe', async ({ args, exchange, tsv }) => {
  const { stdout, stderr, exitCode } = await against([exchange], args);
  expect([exitCode, stdout, stderr]).toEqual([0, tsv, '']);
});

test.each(rows)('$args: JSON as sent', async ({ args, exchange, json }) => {
  const { stdout } = await against([exchange], [...args, '--json']);
  expect(JSON.parse(stdout)).toEqual(json);
});

test('--fields selects in a pipe and in JSON', async () => {
  const emojiList = get(`${acme}/emojis`, emojis);
  const line = ['emojis', 'list', '--fields', 'url,name'];
  expect((await against([emojiList], line)).stdout).toContain('https://e/b.png\tbear\n');
  const { stdout } = await against([emojiList], [...line, '--jq', '.[1]']);
  expect(stdout).toBe('{"url":"https://e/b.png","name":"bear"}\n');
});

test.skipIf(!hasTerminal)('a terminal gets a table with a heading', async () => {
  const server = await serve([get(`${acme}/emojis`, emojis)]);
  const { screen, exitCode } = await cictlInTerminal(['emojis', 'list', '--no-color'], {
    home: await useHome(),
    env: leadTo(server.url),
  });
  expect(exitCode).toBe(0);
  expect(screen).toMatch(/NAME +ALIASES +URL\s+rocket +ship_it +https:/);
});

test.each([
  [['rules', 'view', '../builds'], 2, 'invalid rule'],
  [['orgs', 'view', 'a/b'], 2, 'invalid organization'],
  [['rules', 'view'], 2, 'requires UUID'],
])('%j exits with %i and sends nothing', async (args, code, words) => {
  const { exitCode, stdout, stderr } = await against([], args);
  expect([exitCode, stdout]).toEqual([code, '']);
  expect(stderr).toContain(words);
});

test.each([
  ['rules list', 404, 'No organization found', 7, 'organization acme was not found'],
  ['orgs view other', 404, 'No organization found', 7, 'other was not found; did you mean othre?'],
  ['rules list', 403, 'Forbidden', 6, 'read_rules'],
  ['orgs list', 403, 'Forbidden', 6, 'read_organizations'],
  ['token view', 401, 'Authentication required', 6, 'the service rejected the token'],
])('%s with %i is reported as JSON', async (line, status, message, code, words) => {
  const exchange = { path: /^\/v2/, answer: { status, json: { message } } };
  const slugs = get('/v2/organizations?per_page=100', [{ slug: 'othre' }]);
  const exchanges = status === 404 ? [exchange, slugs] : [exchange];
  const { exitCode, stderr } = await against(exchanges, [...line.split(' '), '--json']);
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as ErrorOutput;
  expect([exitCode, error.code, error.status]).toEqual([code, code, status]);
  expect(error.message).toContain(words);
});

interface ErrorOutput {
  readonly error: { readonly code: number; readonly status: number; readonly message: string };
}

test('nothing found is a line on standard error and exit code 0', async () => {
  const { stdout, stderr, exitCode } = await against(
    [get(`${acme}/rules?per_page=100`, [])],
    ['rules', 'list'],
  );
  expect([exitCode, stdout, stderr]).toEqual([0, '', 'no rules found\n']);
});

test('without a credential, nothing is sent and both next steps are named', async () => {
  const { exitCode, stderr } = await cictl(['orgs', 'list']);
  expect(exitCode).toBe(6);
  expect(stderr).toMatch(/cictl auth login.*cictl local up/);
});
