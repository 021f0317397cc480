import { expect, test } from 'vitest';
import {
  buildVariables,
  isStandard,
  jobEnvironment,
  standardVariables,
  type JobFacts,
  fullPluginSource,
} from './environment.ts';

const facts: JobFacts = {
  organization: 'local',
  pipeline: {
    id: 'p1',
    slug: 'hello',
    name: 'Hello',
    repository: '/src/hello',
    defaultBranch: 'main',
    provider: 'local',
  },
  build: {
    id: 'b1',
    number: 7,
    url: 'http://127.0.0.1/local/hello/builds/7',
    branch: 'topic',
    commit: 'abc',
    message: 'two\nlines',
    source: 'api',
    creator: { name: 'Ada', email: 'ada@example.com' },
  },
  job: {
    id: 'j1',
    stepId: 's1',
    stepKey: 'unit',
    label: null,
    command: 'make',
    timeoutInMinutes: null,
    retriesCount: 0,
  },
  agent: { id: 'a1', name: 'local-1', queue: 'default' },
  checkoutPath: '/src/hello',
};

test.each([
  ['CI', 'true'],
  ['BUILDKITE_ORGANIZATION_SLUG', 'local'],
  ['BUILDKITE_PIPELINE_SLUG', 'hello'],
  ['BUILDKITE_BUILD_NUMBER', '7'],
  ['BUILDKITE_BRANCH', 'topic'],
  ['BUILDKITE_MESSAGE', 'two\nlines'],
  ['BUILDKITE_BUILD_CREATOR', 'Ada'],
  ['BUILDKITE_PULL_REQUEST', 'false'],
  ['BUILDKITE_JOB_ID', 'j1'],
  ['BUILDKITE_STEP_KEY', 'unit'],
  ['BUILDKITE_LABEL', ''],
  ['BUILDKITE_COMMAND', 'make'],
  ['BUILDKITE_TIMEOUT', 'false'],
  ['BUILDKITE_RETRY_COUNT', '0'],
  ['BUILDKITE_AGENT_NAME', 'local-1'],
  ['BUILDKITE_BUILD_CHECKOUT_PATH', '/src/hello'],
  ['BUILDKITE_PARALLEL_JOB', undefined],
  ['BUILDKITE_PLUGINS', undefined],
  ['BUILDKITE_SKIP_CHECKOUT', undefined],
  ['BUILDKITE_REBUILT_FROM_BUILD_ID', undefined],
])('%s is %j', (name, expected) => {
  expect(standardVariables(facts)[name]).toBe(expected);
});

test('sets the variables of parallel jobs, groups and plugins', () => {
  const job = {
    ...facts.job,
    parallelGroupIndex: 0,
    parallelGroupTotal: 2,
    group: { key: 'g', label: 'G' },
    plugins: [
      { source: 'docker#v5', config: { image: 'node' } },
      { source: './x', config: null },
    ],
    skipCheckout: true,
  };
  expect(standardVariables({ ...facts, job })).toMatchObject({
    BUILDKITE_PARALLEL_JOB: '0',
    BUILDKITE_PARALLEL_JOB_COUNT: '2',
    BUILDKITE_GROUP_KEY: 'g',
    BUILDKITE_GROUP_LABEL: 'G',
    BUILDKITE_PLUGINS:
      '[{"github.com/buildkite-plugins/docker-buildkite-plugin#v5":{"image":"node"}},{"./x":null}]',
    BUILDKITE_SKIP_CHECKOUT: 'true',
  });
});

test('uses the author instead of the creator only for author variables', () => {
  const build = { ...facts.build, author: { name: 'Bob', email: 'bob@example.com' } };
  const variables = buildVariables({ ...facts, build });
  expect(variables['BUILDKITE_BUILD_AUTHOR']).toBe('Bob');
  expect(variables['BUILDKITE_BUILD_CREATOR']).toBe('Ada');
  expect(buildVariables(facts)['BUILDKITE_BUILD_AUTHOR_EMAIL']).toBe('ada@example.com');
});

test('build variables contain nothing from a job', () => {
  expect(Object.keys(buildVariables(facts))).not.toContain('BUILDKITE_JOB_ID');
  expect(Object.keys(standardVariables(facts)).every(isStandard)).toBe(true);
  expect(isStandard('PATH')).toBe(false);
});

test('later layers win', () => {
  const environment = jobEnvironment({
    pipeline: { A: 'pipeline', B: 'pipeline', C: 'pipeline', CI: 'pipeline' },
    build: { B: 'build', C: 'build' },
    step: { C: 'step', CI: 'step' },
    standard: { CI: 'true' },
  });
  expect(environment).toEqual({ A: 'pipeline', B: 'build', C: 'step', CI: 'true' });
});

test.each([
  ['docker#v5.12.0', 'github.com/buildkite-plugins/docker-buildkite-plugin#v5.12.0'],
  ['docker', 'github.com/buildkite-plugins/docker-buildkite-plugin'],
  ['acme/tool#main', 'github.com/acme/tool-buildkite-plugin#main'],
  ['acme/tool-buildkite-plugin#v1', 'github.com/acme/tool-buildkite-plugin#v1'],
  ['docker-buildkite-plugin', 'github.com/buildkite-plugins/docker-buildkite-plugin'],
  ...[
    ...['./.buildkite/plugins/x', '/srv/x', 'file:///srv/x#v1', 'https://host/a/b.git#v1'],
    ...['git@host:a/b.git#v1', 'ssh://git@host/a/b', 'host.example/a/b#v1', 'host.example/b'],
  ].map((source) => [source, source]),
])('%s is %s', (source, full) => {
  expect(fullPluginSource(source)).toBe(full);
});
