/** Every command of the API against the built-in service, in a pipe and in a terminal. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart } from '../service/counterpart.ts';
import { scriptedRunner } from '../service/scripted-runner.ts';
import { cictl, type CliOptions } from '../support/cli.ts';
import { createHome, type Home } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { sample, sampled } from '../support/full.ts';

const file = `steps:
  - { label: Tests, key: test, command: exit 0, env: { QUOTE: "it's \\"$$HOME\\"" } }
  - { label: Lint, key: lint, command: exit 3 }
  - { wait: ~, continue_on_failure: true }
  - block: Release
    key: release
    fields: [{ text: Version, key: version }]
  - { command: exit 0 }
`;

let service: Counterpart;
let home: Home;
let ids: Readonly<Record<string, string>>;
const wanted = { commit: 'HEAD', branch: 'main', message: 'one' };

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  home = await createHome();
  const path = await service.pipeline('web', file);
  await service.post(`${path}/builds`, wanted);
  const build = await service.until(`${path}/builds/1`, ({ blocked }) => blocked);
  await service.post(`${path}/builds/1/annotations`, {
    body: '# Hi\n\n- *there*',
    context: 'note',
  });
  const { uuid } = (
    await service.post('/v2/organizations/local/rules', {
      type: 'pipeline.artifacts_read.pipeline',
      value: { source_pipeline_uuid: build.pipeline.id, target_pipeline_uuid: build.pipeline.id },
    })
  ).json;
  const jobs = build.jobs.map((job): [string, string] => [job['step_key'] as string, job.id]);
  ids = { ...Object.fromEntries(jobs), rule: uuid };
});

afterAll(async () => {
  await service.close();
  await home.remove();
});

const env = (): Record<string, string> => ({
  ...home.env,
  CICTL_BASE_URL: service.url,
  CICTL_TOKEN: service.token,
  CICTL_AGENT_TOKEN: service.agentToken,
  CICTL_ORG: 'local',
  CICTL_PIPELINE: 'web',
});

const run = (args: readonly string[], options: CliOptions = {}) =>
  cictl(args, { ...options, home: { ...home, env: { ...env(), ...options.env } as Home['env'] } });

const reading: readonly (readonly [line: string, pipe: RegExp, terminal: RegExp])[] = [
  ['builds list', /^1\tblocked\tmain\tone\t/, /# +STATE.*\r\n■ +1 +blocked/],
  ['builds list --all-pipelines', /^web\/1\tblocked/, /web\/1/],
  ['builds view 1', /^1\tblocked\t/, /■ web #1 blocked[^]*NAME[^]*Release/],
  ['job list 1', /\tblocked\tmanual\tRelease\trelease\t/, /■ blocked +Release/],
  ['job view 1#lint', /\tfailed\tscript\tLint\tlint\t3\t/, /exit_status +3/],
  ['job env 1#test', /^QUOTE="it's \\"\\\$HOME\\""$/m, /QUOTE +it's "\$HOME"/],
  ['annotations list 1', /^note\t/, /CONTEXT[^]*note/],
  ['annotations view note --build 1', /^# Hi\n\n- there\n$/, /# Hi\r\n\r\n- there\r\n/],
  ['rules list', /\tpipeline\.artifacts_read\.pipeline\t/, /UUID[^]*artifacts_read/],
  ['rules view RULE', /\tpipeline\.artifacts_read\.pipeline\t/, /type +pipeline\.artifacts_read/],
  ['orgs list', /^local\t/, /ORGANIZATION +NAME[^]*local/],
  ['orgs view', /^local\t/, /slug +local/],
  ['emojis list --search rocket', /^rocket\t/, /NAME[^]*rocket/],
  ['token view', /\tread_agents,.*,read_builds,/, /scopes +read_agents/],
  ['metrics', /^default\t2\t0\t2\t/, /QUEUE +IDLE[^]*default +2/],
  [
    'metrics --format prometheus',
    /^buildkite_queues_idle_agent_count\{queue="default"\} 2$/m,
    /HELP/,
  ],
  ['graphql {viewer{user{name}}}', /^\{"data":\{"viewer":\{"user":\{"name":"/, /"viewer"/],
  ['api organizations', /^\[\{"id":/, /"slug": "local"/],
];

sampled.each(reading)('%s in a pipe', async (line, pipe) => {
  const { stdout, stderr, exitCode } = await run(words(line));
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(pipe);
});

const hasOwnFormat = ([line]: (typeof reading)[number]): boolean => line.includes('--format');

sampled.each(reading.filter((row) => !hasOwnFormat(row)))('%s as JSON', async (line) => {
  const { stdout, exitCode } = await run([...words(line), '--json']);
  expect([exitCode, typeof JSON.parse(stdout)]).toEqual([0, 'object']);
});

sampled.each(reading.filter(hasOwnFormat))('%s is no JSON', async (line) => {
  const { stdout, exitCode } = await run([...words(line), '--json']);
  expect([exitCode, stdout]).toEqual([2, '']);
});

test.skipIf(!hasTerminal).each(sample(reading, 5))(
  '%s in a terminal',
  async (line, _, terminal) => {
    const { screen, exitCode } = await cictlInTerminal(
      [...words(line), '--no-pager', '--no-color'],
      {
        home,
        env: env(),
        columns: 160,
      },
    );
    expect(exitCode).toBe(0);
    expect(screen).toMatch(terminal);
  },
);

const words = (line: string): string[] => line.replace('RULE', ids['rule'] ?? '').split(' ');

test('retries a failed job, and its old id finds the latest attempt', async () => {
  const first = await run(['job', 'retry', '1#lint', '--jq', '.id']);
  expect(first.exitCode).toBe(0);
  await service.until('/v2/organizations/local/pipelines/web/builds/1', ({ jobs }) =>
    jobs.some(({ id, state }) => id === first.stdout.trim() && state === 'failed'),
  );
  const second = await run(['job', 'retry', `1#${ids['lint'] ?? ''}`]);
  expect(second.exitCode).toBe(0);
  expect(second.stderr).toContain(`using its latest retry ${first.stdout.trim()}`);
  const path = `/v2/organizations/local/pipelines/web/builds/1/jobs/${ids['lint'] ?? ''}/retry`;
  const plain = await run(['api', path, '-X', 'PUT']);
  expect([plain.exitCode, plain.stdout]).toEqual([
    8,
    '{"message":"Jobs can only be retried once"}',
  ]);
});

sampled.each([
  [['job', 'unblock', '1#test'], 8, 'This job type cannot be unblocked'],
  [['job', 'retry', '1#test'], 8, 'Only failed, timed out or canceled jobs can be retried'],
  [['job', 'unblock', '1#release', '--field', 'nope=1'], 2, 'its fields are version'],
  [
    ['job', 'unblock', '1#release', '--unblocker', 'nobody', '--field', 'version=1'],
    8,
    'Unblocker',
  ],
  [
    [
      'rules',
      'create',
      '--type',
      'pipeline.trigger_build.pipeline',
      '--value',
      '{"source_pipeline_uuid":"x","target_pipeline_uuid":"y"}',
    ],
    8,
    'source pipeline',
  ],
  [
    [
      'rules',
      'create',
      '--type',
      'pipeline.trigger_build.pipeline',
      '--source',
      'nope',
      '--target',
      'web',
    ],
    7,
    'pipeline local/nope was not found',
  ],
  [['orgs', 'view', 'elsewhere'], 7, 'organization elsewhere was not found'],
  [
    [
      'api',
      'organizations/local/pipelines/web/builds/1/annotations',
      '-f',
      'body=x',
      '-F',
      'priority=11',
    ],
    8,
    'priority must be between 1 and 10',
  ],
  [['graphql', '{ viewer { nope } }'], 8, 'nope'],
])('%j is code %i', async (args, code, text) => {
  const { exitCode, stderr } = await run(args);
  expect([exitCode, stderr]).toEqual([code, expect.stringContaining(text)]);
});

test('unblocks a block step once, and reports a second time', async () => {
  const { exitCode, stdout } = await run([
    'job',
    'unblock',
    '1#release',
    '--field',
    'version=1.4',
    '--jq',
    '.state',
  ]);
  expect([exitCode, stdout]).toEqual([0, 'unblocked\n']);
  const again = await run(['job', 'unblock', '1#release']);
  expect([again.exitCode, again.stderr]).toEqual([
    8,
    expect.stringContaining('already unblocked by'),
  ]);
  const { stdout: data } = await run(['builds', 'view', '1', '--jq', '.meta_data.version']);
  expect(data).toBe('1.4\n');
});

test('deletes a log', async () => {
  expect((await run(['job', 'delete-log', '1#test', '--yes'])).exitCode).toBe(0);
  expect((await run(['job', 'log', '1#test'])).exitCode).toBe(7);
});

const token = async (...flags: string[]): Promise<string> => {
  const more = { CICTL_DATA_DIR: service.dataDir };
  const { stdout, exitCode } = await run(['local', 'token', 'create', ...flags], { env: more });
  expect(exitCode).toBe(0);
  return stdout.trim();
};

test('a token with one scope is rejected elsewhere by scope name, and revoked', async () => {
  const narrow = { CICTL_TOKEN: await token('--scope', 'read_organizations') };
  expect((await run(['orgs', 'list'], { env: narrow })).exitCode).toBe(0);
  const refused = await run(['builds', 'list'], { env: narrow });
  expect([refused.exitCode, refused.stderr]).toEqual([6, expect.stringContaining('read_builds')]);
  expect((await run(['graphql', '{viewer{user{name}}}'], { env: narrow })).exitCode).toBe(6);
  expect((await run(['token', 'revoke', '--yes'], { env: narrow })).exitCode).toBe(0);
  for (const line of [
    ['orgs', 'list'],
    ['token', 'view'],
    ['api', 'organizations'],
  ]) {
    expect((await run(line, { env: narrow })).exitCode).toBe(6);
  }
});

test('another organization is not found, and a member sees no webhook', async () => {
  const data = { CICTL_DATA_DIR: service.dataDir };
  const web = ['local', 'pipeline', 'set', 'web', 'provider.webhook_url=https://hook'];
  expect((await run(web, { env: data })).exitCode).toBe(0);
  expect((await run(['local', 'org', 'add', 'acme'], { env: data })).exitCode).toBe(0);
  const add = ['local', 'user', 'add', 'Mia', '--email', 'mia@example.com', '--role', 'member'];
  expect((await run(add, { env: data })).exitCode).toBe(0);
  const member = { CICTL_TOKEN: await token('--user', 'Mia') };
  const hook = ['builds', 'view', '1', '--jq', '.pipeline.provider.webhook_url'];
  expect((await run(hook)).stdout).toBe('https://hook\n');
  expect((await run(hook, { env: member })).stdout).toBe('\n');
  const other = await run(['builds', 'list', '--org', 'acme', '--all-pipelines'], { env: member });
  expect([other.exitCode, other.stderr]).toEqual([
    7,
    expect.stringContaining('acme was not found'),
  ]);
});

test('lists 250 builds by GraphQL and 1,000 by REST while others are created', async () => {
  const path = await service.pipeline('many', 'steps: [{ block: Wait }]');
  for (let left = 250; left > 0; left--) await service.post(`${path}/builds`, wanted);
  const query = `query($endCursor: String) { pipeline(slug: "local/many") {
    builds(first: 100, after: $endCursor) { edges { node { number } } pageInfo { hasNextPage endCursor } } } }`;
  const jq = '[.data.pipeline.builds.edges[].node.number]|length';
  const pages = await run(['graphql', query, '--paginate', '--jq', jq]);
  expect([pages.exitCode, pages.stdout]).toEqual([0, '100\n100\n50\n']);

  for (let left = 750; left > 0; left--) await service.post(`${path}/builds`, wanted);
  let listing = true as boolean;
  const others = (async () => {
    while (listing) await service.post(`${path}/builds`, wanted);
  })();
  const line = ['builds', 'list', '-p', 'many', '--all', '-o', 'jsonl', '--fields', 'number'];
  const { stdout, exitCode } = await run(line);
  listing = false;
  await others;
  const numbers = [...stdout.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number));
  expect(exitCode).toBe(0);
  expect(new Set(numbers).size).toBe(numbers.length);
  const first = numbers.filter((number) => number <= 1000);
  expect(first).toHaveLength(1000);
});

test('the page of an annotation is text', async () => {
  const body = join(home.cwd, 'body.md');
  const text =
    '| a | b |\n|---|---|\n| 1 | **2** |\n\n[x](https://e.org) `code` <script>alert(1)</script>';
  const line = ['annotate', '--build', '1', '--context', 'table', '--style', 'warning', '-'];
  expect((await run(line, { stdin: text, cwd: home.cwd })).exitCode, body).toBe(0);
  const { stdout } = await run(['annotations', 'view', 'table', '--build', '1']);
  expect(stdout).toBe('a   b\n1   2\n\nx [https://e.org] `code`\n');
});
