import { expect, test } from 'vitest';
import { useScheduler } from '../../../test/support/scheduler.ts';
import type { Tree } from '../domain/records.ts';
import { environmentOf, remoteEnvironment, type AgentFacts } from './environment.ts';
import { command, planOf } from '../../../test/support/plans.ts';
import type { CommandStep } from '../pipeline/plan.ts';
import { usualRunOptions } from '../run-options.ts';
import type { BuildOrder } from './make-build.ts';

async function firstTree(text: string) {
  const scheduler = useScheduler();
  scheduler.steps(text);
  const { id } = await scheduler.build();
  const tree = scheduler.store.builds.tree(id);
  const job = tree?.jobs[0];
  if (tree === undefined || job === undefined) throw new Error('the build is not there');
  return { ...scheduler, tree, job };
}

test('a job without an agent is shown without one', async () => {
  const { parts, tree, job } = await firstTree('{ command: a }');
  expect(environmentOf(parts, tree, job)).toMatchObject({
    ...{ BUILDKITE_COMMAND: 'a', BUILDKITE_AGENT_ID: '', BUILDKITE_AGENT_NAME: '' },
  });
});

test('a job in a slot has the tags of the slots, whatever the pipeline says', async () => {
  const { parts, tree, job } = await firstTree(
    '{ command: a, env: { BUILDKITE_AGENT_META_DATA_OS: mine } }',
  );
  const tags = ['queue=gpu', 'os=linux', 'a b=c=d', 'os=mac'];
  expect(environmentOf(parts, tree, job)).toMatchObject({
    BUILDKITE_AGENT_META_DATA_QUEUE: 'default',
  });
  expect(environmentOf({ ...parts, tags }, tree, job)).toMatchObject({
    BUILDKITE_AGENT_META_DATA_QUEUE: 'gpu',
    BUILDKITE_AGENT_META_DATA_OS: 'linux',
    BUILDKITE_AGENT_META_DATA_A_B: 'c=d',
  });
});

test('a job without a command has the variables of its build', async () => {
  const { parts, tree, job } = await firstTree('{ block: Go?, key: go }');
  expect(environmentOf(parts, tree, job)).toMatchObject({
    ...{ BUILDKITE_BUILD_NUMBER: '1', BUILDKITE_STEP_KEY: 'go', BUILDKITE_LABEL: 'Go?' },
    ...{ BUILDKITE_COMMAND: '', BUILDKITE_TIMEOUT: 'false', BUILDKITE_ARTIFACT_PATHS: '' },
  });
});

test('a build whose pipeline or organization was deleted has no environment', async () => {
  const { parts, tree, job } = await firstTree('{ command: a }');
  const without = (members: Partial<Tree['build']>) => () =>
    environmentOf(parts, { ...tree, build: { ...tree.build, ...members } }, job);
  const text = `the pipeline of build ${tree.build.id} no longer exists`;
  expect(without({ pipelineId: 'gone' })).toThrow(text);
  expect(without({ organizationId: 'gone' })).toThrow(text);
});

const agent: AgentFacts = {
  ...{ id: 'agent-1', name: 'builder-1', version: '4.0.0-beta.15' },
  tags: ['queue=big', 'os=linux', 'queue=other', 'gpu', 'disk-size=1=2'],
};

/** The environment of a step's job on that agent. */
async function environment(
  step: Partial<CommandStep> = {},
  { code, order = {}, facts = {} }: Given = {},
): Promise<Record<string, string>> {
  const { parts, store, build } = useScheduler({ slots: 0 });
  const { id } = await build({ plan: planOf(command('make test', step)), ...order });
  const tree = store.builds.tree(id);
  const job = tree?.jobs[0];
  if (tree === undefined || job === undefined) throw new Error('no job');
  return remoteEnvironment(parts, tree, job, { ...agent, ...facts }, code);
}

interface Given {
  readonly code?: Readonly<Record<string, string>>;
  readonly order?: Partial<BuildOrder>;
  readonly facts?: Partial<AgentFacts>;
}

test('has all variables that agents need and scripts read, as strings', async () => {
  const code = { BUILDKITE_REPO: 'https://example.com/r.git', BUILDKITE_COMMIT: 'c0ffee' };
  const env = await environment({ key: 'k', label: 'L', artifactPaths: 'a;b' }, { code });
  expect(env).toMatchObject({
    ...code,
    ...{ BUILDKITE_AGENT_ID: 'agent-1', BUILDKITE_AGENT_NAME: 'builder-1', CI: 'true' },
    ...{ BUILDKITE_BRANCH: 'main', BUILDKITE_BUILD_NUMBER: '1', BUILDKITE_COMMAND: 'make test' },
    ...{ BUILDKITE_ORGANIZATION_SLUG: 'local', BUILDKITE_PIPELINE_SLUG: 'p' },
    ...{ BUILDKITE_PULL_REQUEST: 'false', BUILDKITE_ARTIFACT_PATHS: 'a;b', BUILDKITE: 'true' },
    ...{ BUILDKITE_LABEL: 'L', BUILDKITE_STEP_KEY: 'k', BUILDKITE_RETRY_COUNT: '0' },
    ...{ BUILDKITE_SOURCE: 'api', BUILDKITE_MESSAGE: 'm', BUILDKITE_TAG: '' },
    ...{ BUILDKITE_PIPELINE_NAME: 'p', BUILDKITE_PIPELINE_DEFAULT_BRANCH: 'main' },
  });
  for (const name of ['JOB_ID', 'BUILD_ID', 'STEP_ID', 'BUILD_URL', 'PIPELINE_PROVIDER'])
    expect(env[`BUILDKITE_${name}`], name).toMatch(/./);
  expect(Object.values(env).filter((value) => typeof value !== 'string')).toEqual([]);
});

test('has a variable for each tag, with its first value', async () => {
  const env = await environment();
  const tags = Object.entries(env).filter(([name]) => name.includes('META_DATA'));
  expect(Object.fromEntries(tags)).toEqual({
    BUILDKITE_AGENT_META_DATA_QUEUE: 'big',
    BUILDKITE_AGENT_META_DATA_OS: 'linux',
    BUILDKITE_AGENT_META_DATA_GPU: 'true',
    BUILDKITE_AGENT_META_DATA_DISK_SIZE: '1=2',
  });
});

test('omits variables that the agent sets, even if the user sets them', async () => {
  const wanted = [
    ...['BUILD_PATH', 'BUILD_CHECKOUT_PATH', 'HOOKS_PATH', 'PLUGINS_PATH', 'SOCKETS_PATH'],
    ...['BIN_PATH', 'CONFIG_PATH', 'SHELL', 'COMMAND_EVAL', 'PLUGINS_ENABLED', 'ENV_FILE'],
    ...['LOCAL_HOOKS_ENABLED', 'GIT_CLEAN_FLAGS', 'GIT_MIRRORS_PATH', 'SSH_KEYSCAN'],
    ...['REDACTED_VARS', 'AGENT_ACCESS_TOKEN', 'AGENT_ENDPOINT', 'AGENT_PID', 'AGENT_DEBUG'],
    ...['CANCEL_GRACE_PERIOD', 'STRICT_SINGLE_HOOKS', 'SKIP_CHECKOUT', 'BOOTSTRAP_PHASES'],
  ].map((name) => `BUILDKITE_${name}`);
  const given = Object.fromEntries(wanted.map((name) => [name, '/']));
  const env = await environment({ env: { ...given, MINE: '1' } }, { order: { env: given } });
  expect(env['MINE']).toBe('1');
  expect(wanted.filter((name) => name in env)).toEqual([]);
});

test('lists plugins by their full source, only those allowed to run', async () => {
  const sources = [
    ...['docker#v5.12.0', 'org/x#v1', './.buildkite/plugins/y', '/srv/z#main'],
    ...['https://example.com/w.git#v2', 'git@example.com:v.git#v3'],
  ];
  const plugins = [
    ...sources.map((source) => ({ source, config: { a: 1 } })),
    { source: 'skipped#v1', config: null },
  ];
  const options = {
    ...usualRunOptions,
    plugins: { default: 'run', named: { skipped: 'skip' } },
  } as const;
  const { BUILDKITE_PLUGINS: text = '' } = await environment({ plugins }, { order: { options } });
  expect((JSON.parse(text) as object[]).map((plugin) => Object.entries(plugin)[0])).toEqual([
    ['github.com/buildkite-plugins/docker-buildkite-plugin#v5.12.0', { a: 1 }],
    ['github.com/org/x-buildkite-plugin#v1', { a: 1 }],
    ['./.buildkite/plugins/y', { a: 1 }],
    ['file:///srv/z#main', { a: 1 }],
    ['https://example.com/w.git#v2', { a: 1 }],
    ['ssh://git@example.com/v.git#v3', { a: 1 }],
  ]);
  expect(await environment()).not.toHaveProperty('BUILDKITE_PLUGINS');
});

test.each([
  ['4.0.0-beta.15', { BUILDKITE_SKIP_CHECKOUT: 'true' }],
  ['3.90.0', { BUILDKITE_BOOTSTRAP_PHASES: 'plugin,command' }],
])(
  'tells agent %s about a step without a checkout, and provides no code',
  async (version, said) => {
    const given = { code: { BUILDKITE_REPO: 'x' }, facts: { version } };
    const env = await environment({ skipCheckout: true }, given);
    expect(env).toMatchObject(said);
    expect(env['BUILDKITE_REPO']).not.toBe('x');
    expect(env['BUILDKITE_REPO']).not.toBe('');
  },
);
