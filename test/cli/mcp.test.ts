/** `cictl mcp` as seen by a client of the protocol. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leadTo } from '../support/against.ts';
import { cictl, startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { longList } from '../support/long-list.ts';
import { useTools } from '../support/mcp.ts';
import { serve } from '../support/server.ts';
import { createService, type TestService } from '../support/service.ts';
import { sampled } from '../support/full.ts';

const pipeline = `
env: { GREETING: "hello there" }
steps:
  - label: unit
    key: unit
    command: |
      echo "--- Set up"
      for i in $(seq 1 400); do echo "step $$i of the preparation"; done
      echo "+++ Tests"
      echo "Error: expected 1205, got 1200"
      echo "the token is $$SHOWN"
      exit 3
  - { label: deploy, key: deploy, command: 'echo never', depends_on: unit }
`;

const commit = '4'.repeat(40);

let service: TestService;
/** Build 1 of pipeline `web` has failed. */
beforeAll(async () => {
  service = await createService();
  const folder = join(service.home.root, 'web');
  await mkdir(folder);
  await writeFile(join(folder, 'pipeline.yml'), pipeline);
  await fetch(`${service.url}/local/v1/organizations/local/pipelines`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ folder, file: join(folder, 'pipeline.yml'), slug: 'web' }),
  });
  const { home } = service;
  const create = ['builds', 'create', '-p', 'web', '-c', commit, '-b', 'main'];
  const shown = ['-e', `SHOWN=${service.token}`, '--watch'];
  expect((await cictl([...create, ...shown], { home })).exitCode).toBe(1);
  await cictl(['annotate', '**1** of 9', '--style', 'error', '--build', 'web/1'], { home });
});
afterAll(() => service.stop());

const reading = [
  ...['builds_list', 'builds_view', 'builds_failures', 'builds_stats'],
  ...['job_list', 'job_view', 'job_log'],
  ...['job_env', 'annotations_list', 'annotations_view', 'rules_list', 'rules_view'],
  ...['orgs_list', 'orgs_view', 'metrics'],
];
const changing = [
  ...['builds_create', 'builds_cancel', 'builds_rebuild', 'job_retry', 'job_unblock', 'annotate'],
];

sampled.each([
  [[], reading],
  [['--allow-changes'], [...reading, ...changing]],
])('%j: the tools', async (args, names) => {
  const { client } = await useTools(service.home, args);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(names);
  for (const { name, annotations } of tools)
    expect(annotations?.readOnlyHint, name).toBe(reading.includes(name));
});

test("a tool's arguments are those of its command", async () => {
  const { client } = await useTools(service.home);
  const { tools } = await client.listTools();
  const log = tools.find(({ name }) => name === 'job_log')?.inputSchema;
  expect(log?.properties).toMatchObject({
    job: { type: 'string' },
    build: { type: 'string' },
    grep: { type: 'string' },
    tail: { type: 'integer' },
    groups: { type: 'boolean' },
    ignore_case: { type: 'boolean' },
  });
  const list = tools.find(({ name }) => name === 'builds_list')?.inputSchema;
  expect(list?.properties).toHaveProperty('created_from');
  expect(list?.properties).toHaveProperty('state.items.enum');
});

test('no tool has arguments for files, programs, browsers or other services', async () => {
  const { client } = await useTools(service.home, ['--allow-changes']);
  const { tools } = await client.listTools();
  const names = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
  const out = ['out', 'web', 'file', 'env_from', 'fields_file', 'run', 'listen', 'show_secrets'];
  const elsewhere = ['profile', 'base_url', 'agent_url', 'debug', 'watch', 'follow'];
  expect(names.filter((name) => [...out, ...elsewhere].includes(name))).toEqual([]);
});

test('lists builds with selected members', async () => {
  const { call } = await useTools(service.home);
  const { texts, isError } = await call('builds_list', { state: ['failed'], pipeline: 'web' });
  expect([isError, texts.length]).toEqual([false, 1]);
  expect(JSON.parse(texts[0] ?? '')).toMatchObject([
    { number: 1, state: 'failed', branch: 'main', pipeline: { slug: 'web' } },
  ]);
  expect((await call('builds_list', { state: 'passed' })).texts[0]).toBe('[]');
});

sampled.each([
  ['builds_list', { target: 'web', fields: 'number,state' }, [{ number: 1, state: 'failed' }]],
  ['builds_list', { jq: 'map(.number)' }, [1]],
  ['builds_list', { 'created-from': '2001-01-01', fields: 'number' }, [{ number: 1 }]],
  ['builds_view', { build: 'web/1', fields: 'number' }, { number: 1 }],
  ['builds_view', { build: 'web/1', summary: true, jq: '.counts.failed' }, 1],
  ['job_list', { build: 'web/1', fields: 'step_key,exit_status' }, expect.any(Array)],
  ['orgs_list', { fields: 'slug' }, [{ slug: 'local' }]],
  ['orgs_view', { jq: '.slug | tojson' }, 'local'],
  ['orgs_view', { org: 'local', fields: 'slug' }, { slug: 'local' }],
  ['rules_list', {}, []],
  ['annotations_list', { build: 'web/1', fields: 'style' }, [{ style: 'error' }]],
])('%s %j', async (name, args, expected) => {
  const { call } = await useTools(service.home);
  const { texts, isError } = await call(name, args);
  expect(isError, texts.join('\n')).toBe(false);
  expect(JSON.parse(texts[0] ?? '')).toEqual(expected);
});

test('explains why a build failed', async () => {
  const { call } = await useTools(service.home);
  const { texts } = await call('builds_failures', { build: 'web/1' });
  expect(JSON.parse(texts[0] ?? '')).toMatchObject({
    build: { number: 1, state: 'failed' },
    failures: [{ step_key: 'unit', exit_status: 3 }],
  });
  const markdown = await call('builds_failures', { build: 'web/1', markdown: true });
  expect(markdown.texts[0]).toContain('expected 1205, got 1200');
  expect(markdown.texts[0]?.startsWith('#')).toBe(true);
});

test('explains why the newest build of a commit failed', async () => {
  const { call } = await useTools(service.home);
  const { texts, isError } = await call('builds_failures', { commit, pipeline: 'web' });
  expect([isError, texts[0]]).toEqual([false, expect.stringContaining('got 1200')]);
});

test('reads a log: its end, a search, a section, its sections', async () => {
  const { call } = await useTools(service.home);
  const log = async (args: object) =>
    ((await call('job_log', { job: 'web/1#unit', ...args })).texts[0] ?? '').trimEnd().split('\n');
  const end = await log({});
  expect([end.length, end.some((line) => line.includes('got 1200'))]).toEqual([200, true]);
  expect(await log({ tail: 1 })).toHaveLength(1);
  expect(await log({ head: 5 })).toHaveLength(5);
  expect(await log({ grep: 'STEP 40?0 of', ignore_case: true })).toEqual([
    'step 40 of the preparation',
    'step 400 of the preparation',
  ]);
  expect((await log({ group: 'Tests' })).join('\n')).not.toContain('preparation');
  expect((await log({ groups: true })).map((line) => line.split('\t')[0])).toContain('Set up');
});

test('lists the names of a job environment without values', async () => {
  const { call } = await useTools(service.home);
  const { texts } = await call('job_env', { job: 'web/1#unit' });
  const { env } = JSON.parse(texts[0] ?? '') as { env: Record<string, string> };
  expect(env).toHaveProperty('GREETING', '********');
  expect([...new Set(Object.values(env))]).toEqual(['********']);
});

test('lists metrics', async () => {
  const { call } = await useTools(service.home);
  const { texts } = await call('metrics', { queue: ['default'] });
  expect(JSON.parse(texts[0] ?? '')).toHaveProperty('jobs');
});

test('no response contains the token', async () => {
  const { call } = await useTools(service.home);
  const answers = await Promise.all([
    call('job_log', { job: 'web/1#unit', grep: 'the token is' }),
    call('builds_view', { build: 'web/1', fields: 'env' }),
    call('builds_failures', { build: 'web/1' }),
    call('builds_view', { build: `web/${service.token}` }),
    call('builds_list', { jq: 'env, $ENV' }),
  ]);
  const text = JSON.stringify(answers);
  expect(text).toContain('the token is [REDACTED]');
  expect(text).not.toContain(service.token);
});

sampled.each([
  ['builds_list', { target: 'web', max_bytes: 1024, fields: 'number,env,jobs' }],
  ['builds_view', { build: 'web/1', max_bytes: 1024 }],
  ['builds_failures', { build: 'web/1', max_bytes: 2048 }],
  ['job_log', { job: 'web/1#unit', max_bytes: 2048 }],
  ['job_log', { job: 'web/1#unit', grep: 'step', max_bytes: 2048 }],
  ['job_list', { build: 'web/1', max_bytes: 1024, fields: 'id,name,step,agent,command' }],
  ['job_env', { job: 'web/1#unit', max_bytes: 1024 }],
])('%s %j keeps to its budget and marks what it cut', async (name, args) => {
  const { call } = await useTools(service.home);
  const { bytes, texts, isError } = await call(name, args);
  expect(isError, texts.join('\n')).toBe(false);
  expect(bytes).toBeLessThanOrEqual(args.max_bytes);
  expect(bytes).toBeGreaterThan(args.max_bytes / 8);
  expect(texts.join('\n')).toContain('truncated');
});

sampled.each([
  ['builds_view', { build: 'web/1' }],
  ['builds_failures', { build: 'web/1' }],
  ['job_view', { job: 'web/1#unit' }],
])('%s says which one it is even within the smallest budget', async (name, args) => {
  const { call } = await useTools(service.home);
  const { bytes, texts } = await call(name, { ...args, max_bytes: 1024 });
  expect(bytes).toBeLessThanOrEqual(1024);
  const document = JSON.parse((texts[0] ?? '').split('\n')[0] ?? '') as Record<string, unknown>;
  expect(document['…'] ?? document['build']).toBeDefined();
});

test('truncates a log at its start, and a search at its end', async () => {
  const { call } = await useTools(service.home);
  const job = 'web/1#unit';
  const [end] = (await call('job_log', { job, max_bytes: 2048 })).texts;
  expect(end).toMatch(/^\[truncated: the first \d+ bytes/);
  expect(end).toContain('got 1200');
  const [start] = (await call('job_log', { job, grep: '^step', max_bytes: 2048 })).texts;
  expect(start).toMatch(/^step 1 of .*\n\[truncated: more follows[^\n]*$/s);
});

sampled.each([
  ['builds_view', { build: 'web/99' }, 7, 'not_found'],
  ['builds_list', { state: ['nonsense'] }, 2, 'usage'],
  ['builds_list', { stat: 'failed' }, 2, 'usage'],
  ['builds_list', { limit: 'many' }, 2, 'usage'],
  ['builds_list', { state: [{}] }, 2, 'usage'],
  ['builds_list', { max_bytes: 10 }, 2, 'usage'],
  ['job_env', { job: '--run' }, 2, 'usage'],
  ['rules_view', {}, 2, 'usage'],
  ['nosuch', {}, 2, 'usage'],
  ['builds_cancel', { build: ['web/1'] }, 2, 'usage'],
  ['auth_token', {}, 2, 'usage'],
])('%s %j is an error of the tool: code %i', async (name, args, code, kind) => {
  const { call } = await useTools(service.home);
  const { isError, texts } = await call(name, args);
  expect(isError, texts[0]).toBe(true);
  expect(JSON.parse(texts[0] ?? '')).toMatchObject({ error: { code, kind } });
});

test('an error fits the budget and is valid JSON', async () => {
  const { call } = await useTools(service.home);
  for (const args of [{ fields: 'x'.repeat(3000) }, { ['y'.repeat(3000)]: 1 }]) {
    const { bytes, texts, isError } = await call('builds_list', { ...args, max_bytes: 1024 });
    expect([isError, JSON.parse(texts[0] ?? '')]).toMatchObject([true, { error: { code: 2 } }]);
    expect(bytes).toBeLessThanOrEqual('fields' in args ? 1024 : 32_768);
  }
});

test('makes changes if they are allowed', async () => {
  const { call } = await useTools(service.home, ['--allow-changes']);
  const json = async (name: string, args: object): Promise<unknown> => {
    const { texts, isError } = await call(name, args as Record<string, unknown>);
    expect(isError, texts.join('\n')).toBe(false);
    return JSON.parse(texts[0] ?? '');
  };
  const from = { pipeline: 'web', commit: 'HEAD', branch: 'next', meta_data: { release: '1' } };
  expect(await json('builds_create', { ...from, dry_run: true })).toMatchObject({
    method: 'POST',
    body: { branch: 'next', meta_data: { release: '1' } },
  });
  const body = { commit: 'HEAD', branch: 'whole' };
  const whole = await json('builds_create', { pipeline: 'web', body, dry_run: true });
  expect(whole).toMatchObject({ method: 'POST', body });
  const created = (await json('builds_create', from)) as { number: number };
  expect(created).toMatchObject({ branch: 'next' });
  await json('annotate', { body: '- fine', build: 'web/1', context: 'mcp', style: 'success' });
  const { texts } = await call('annotations_view', { context: 'mcp', build: 'web/1' });
  expect(texts[0]).toContain('fine');
  expect(await json('builds_rebuild', { build: 'web/1' })).toHaveProperty('number');
  expect(await json('job_retry', { job: ['web/1#unit'] })).toMatchObject([{ step_key: 'unit' }]);
});

sampled.each([
  ['builds_create', { commit: 'HEAD', branch: 'main', env: ['CICTL_TOKEN'] }, 'K=V'],
  ['builds_create', { commit: 'HEAD', branch: 'main', env: 'CICTL_TOKEN' }, 'K=V'],
  ['builds_create', { body: '@/etc/passwd' }, 'files cannot be read'],
  ['annotate', { body: '-', build: 'web/1' }, 'standard input'],
  ['builds_cancel', {}, 'requires build'],
])('%s %j reaches nothing of this machine', async (name, args, words) => {
  const home = await useHome();
  const server = await serve([]);
  const { call } = await useTools(home, ['--allow-changes'], leadTo(server.url));
  const { isError, texts } = await call(name, args);
  expect([isError, texts[0]]).toEqual([true, expect.stringContaining(words)]);
  await server.finish();
});

test('--allow-changes confirms a cancellation', async () => {
  const home = await useHome();
  const path = '/v2/organizations/acme/pipelines/web/builds/3';
  const build = { number: 3, state: 'canceled' };
  const server = await serve([{ method: 'PUT', path: `${path}/cancel`, answer: { json: build } }]);
  const { call } = await useTools(home, ['--allow-changes'], leadTo(server.url));
  const { texts, isError } = await call('builds_cancel', { build: 'web/3' });
  expect([isError, texts[0]]).toEqual([false, expect.stringContaining('"number":3')]);
  await server.finish();
});

test('flags of the server apply to its tools', async () => {
  const home = await useHome();
  const server = await serve([]);
  const flags = ['--allow-changes', '--dry-run', '--org', 'other'];
  const { call } = await useTools(home, flags, leadTo(server.url));
  const { texts } = await call('builds_rebuild', { build: 'web/3' });
  expect(texts[0]).toContain('/v2/organizations/other/pipelines/web/builds/3/rebuild');
  await server.finish();
});

const hello = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  },
};
const ask = (id: number) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name: 'builds_list', arguments: { fields: 'number' } },
});

test('requests before the end of input are finished, with exit code 0', async () => {
  const lines = [
    JSON.stringify(hello),
    'no message',
    JSON.stringify(ask(2)),
    JSON.stringify(ask(3)),
  ];
  const stdin = `${lines.join('\n')}\n`;
  const { stdout, stderr, exitCode } = await cictl(['mcp'], { home: service.home, stdin });
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('ignored a message')]);
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number });
  expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
});

test('accepts a last message without a newline, and ignores empty lines', async () => {
  const stdin = `${JSON.stringify(hello)}\n\n \r\n${JSON.stringify(ask(2))}`;
  const { stdout, stderr, exitCode } = await cictl(['mcp'], { home: service.home, stdin });
  expect([exitCode, stderr, stdout.trimEnd().split('\n')]).toEqual([
    ...[0, ''],
    [expect.stringContaining('"id":1'), expect.stringContaining('"id":2')],
  ]);
});

sampled.each([
  ['[{"jsonrpc":"2.0","id":2,"method":"ping"}]'],
  ['{"jsonrpc":"1.0","id":2,"method":"ping"}'],
  ['{"id":'],
  ['x'.repeat(5000)],
])('%.40s is ignored in one line', async (line) => {
  const stdin = `${JSON.stringify(hello)}\n${line}\n`;
  const { stderr, exitCode } = await cictl(['mcp'], { home: service.home, stdin });
  expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^ignored a message: .{1,300}\n$/)]);
});

sampled.each([
  ['job_log', { job: 'web/1#unit', grep: 'in no line' }],
  ['job_log', { job: 'web/1#unit', tail: 0 }],
  ['builds_list', { jq: 'empty' }],
])('%s %j: nothing found is an answer with a text', async (name, args) => {
  const { call } = await useTools(service.home);
  expect(await call(name, args)).toMatchObject({ isError: false, texts: ['nothing found'] });
});

test('a changing tool names the flag that allows it', async () => {
  const { call } = await useTools(service.home);
  const { texts } = await call('builds_cancel', { build: ['web/1'] });
  expect(texts[0]).toContain('cictl mcp --allow-changes');
});

test('requests only as much of an endless list as a response holds', async () => {
  const home = await useHome();
  const { url, requests } = await longList({ count: 4000, perPage: 10, text: 'x'.repeat(500) });
  const { call } = await useTools(home, [], leadTo(url));
  const { texts, isError, bytes } = await call('builds_list', { all: true });
  expect([isError, texts[0]]).toEqual([false, expect.stringContaining('[truncated: more follow]')]);
  const [list = ''] = (texts[0] ?? '').split('\n');
  const elements = JSON.parse(list) as { number?: number }[];
  expect([elements[0]?.number, elements.length > 30]).toEqual([4000, true]);
  expect(bytes).toBeLessThanOrEqual(32_768);
  expect(requests.length).toBeLessThan(60);
});

test("--debug writes to the server's standard error", async () => {
  const { call, stderr } = await useTools(service.home, ['--debug']);
  expect((await call('orgs_list')).texts).toHaveLength(1);
  expect(stderr()).toContain('debug: ');
  expect(stderr()).not.toContain(service.token);
});

test('a signal shuts the server down cleanly', async () => {
  const child = startCictl(['mcp'], service.home);
  child.stdin.write(`${JSON.stringify(hello)}\n`);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGTERM');
  expect((await child).exitCode).toBe(143);
});

test('the server exits when the client disconnects', async () => {
  const child = startCictl(['mcp'], service.home);
  child.stdin.write(`${JSON.stringify(hello)}\n`);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.stdout.destroy();
  child.stdin.write(`${JSON.stringify(ask(2))}\n`);
  expect((await child).exitCode).toBe(0);
});

test('a cancelled call aborts its request, and others continue', async () => {
  const home = await useHome();
  let waiting = 0;
  const { url } = await longList({
    before: () => (++waiting === 1 ? new Promise(() => {}) : undefined),
  });
  const { client, call } = await useTools(home, [], leadTo(url));
  const interrupt = new AbortController();
  const first = client.callTool({ name: 'builds_list' }, undefined, { signal: interrupt.signal });
  const refused = expect(first).rejects.toThrow('taken back');
  while (waiting === 0) await call('nosuch');
  interrupt.abort(new Error('taken back'));
  await refused;
  expect((await call('builds_list', { fields: 'number' })).texts[0]).toContain('"number":20');
});

test('rejects an endless message with one line', async () => {
  const stdin = `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(11 * 1024 * 1024)}`;
  const { stdout, stderr, exitCode } = await cictl(['mcp'], { home: service.home, stdin });
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toBe('cictl: a message on standard input is longer than 10 MiB\n');
});
