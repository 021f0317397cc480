import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { until, useScheduler } from '../../../test/support/scheduler.ts';
import { hashOf } from '../secrets.ts';
import { retryJob } from '../domain/retry.ts';
import type { BuildOrder } from './make-build.ts';
import { createJobSpec } from './job-spec.ts';

/** What the runner is told about the first job of such a build. */
async function firstSpec(
  step: string,
  order: (userId: string) => Partial<BuildOrder> = () => ({}),
) {
  const scheduler = useScheduler();
  const { engine, runner, steps, build, user } = scheduler;
  steps(step);
  await engine.start();
  const made = await build(order(user.id));
  await until(() => runner.works.length === 1);
  const [spec] = runner.works;
  if (spec === undefined) throw new Error('no job was started');
  return { ...scheduler, made, spec, env: spec.env };
}

test("the runner gets the command in the pipeline's directory, without a default limit", async () => {
  const { spec, store, made, parts, folder } = await firstSpec("{ command: 'make all' }");
  const jobId = store.builds.tree(made.id)?.jobs[0]?.id;
  expect(spec).toMatchObject({
    ...{ jobId, command: 'make all', cwd: folder, timeout: null, path: ['/shim'], preamble: [] },
    logFile: parts.logs.file(jobId ?? ''),
  });
});

test('converts minutes to milliseconds', async () => {
  const { spec } = await firstSpec('{ command: a, timeout_in_minutes: 1.5 }');
  expect(spec.timeout).toBe(90_000);
});

test("a job's token is its own, redacted, and can read its build", async () => {
  const { spec, store, parts, made, organization, user } = await firstSpec(
    '{ command: a }',
    (creatorId) => ({
      ...{ creatorId, hostEnv: { HOST: 'h', CICTL_TOKEN: 'of the host' } },
    }),
  );
  const token = spec.hiddenEnv['CICTL_TOKEN'] ?? '';
  expect(spec.secrets).toEqual([token]);
  expect(spec.hiddenEnv).toEqual({
    ...{ HOST: 'h', CICTL_BASE_URL: 'http://127.0.0.1:1', CICTL_TOKEN: token, CICTL_NO_INPUT: '1' },
    CICTL_DATA_DIR: dirname(parts.workspaces),
    BUILDKITE_AGENT_ENDPOINT: 'http://127.0.0.1:1/v3',
    BUILDKITE_AGENT_ACCESS_TOKEN: token,
  });
  expect(Object.values(spec.env)).not.toContain(token);
  expect(store.accounts.token(hashOf(token))).toMatchObject({
    ...{ kind: 'job', userId: user.id, organizationIds: [organization.id] },
    ...{ scopes: ['read_builds', 'read_build_logs'], description: `job ${spec.jobId}` },
    ...{ buildId: made.id, jobId: spec.jobId },
  });
});

test('precedence is step, build, file; standard variables win over all', async () => {
  const scheduler = useScheduler();
  const { engine, runner, build, folder } = scheduler;
  const file = `
env: { A: file, B: file, C: file, CI: 'no' }
steps: [{ command: a, env: { A: step, CI: 'no' } }]
`;
  writeFileSync(join(folder, 'pipeline.yml'), file);
  await engine.start();
  await build({ env: { A: 'build', B: 'build' } });
  await until(() => runner.works.length === 1);
  expect(runner.works[0]?.env).toMatchObject({ A: 'step', B: 'build', C: 'file', CI: 'true' });
});

test('a job knows its build, step, agent and directory', async () => {
  const step = "{ command: 'make all', label: Make, key: make, timeout_in_minutes: 5 }";
  const { env, made, spec, engine, folder, store } = await firstSpec(step, (creatorId) => ({
    ...{ creatorId, branch: 'b', pullRequest: { id: '7', base: 'main', repository: null } },
  }));
  const url = 'http://127.0.0.1:1/local/p/builds/1';
  expect(env).toMatchObject({
    ...{ BUILDKITE_BUILD_ID: made.id, BUILDKITE_BUILD_NUMBER: '1', BUILDKITE_BUILD_URL: url },
    ...{ BUILDKITE_ORGANIZATION_SLUG: 'local', BUILDKITE_PIPELINE_SLUG: 'p' },
    ...{ BUILDKITE_PIPELINE_PROVIDER: 'local', BUILDKITE_BRANCH: 'b', BUILDKITE_PULL_REQUEST: '7' },
    ...{ BUILDKITE_BUILD_CREATOR: 'Ann', BUILDKITE_BUILD_CREATOR_EMAIL: 'ann@x' },
    ...{ BUILDKITE_JOB_ID: spec.jobId, BUILDKITE_STEP_KEY: 'make', BUILDKITE_LABEL: 'Make' },
    ...{ BUILDKITE_STEP_ID: store.builds.tree(made.id)?.jobs[0]?.stepId },
    ...{ BUILDKITE_COMMAND: 'make all', BUILDKITE_TIMEOUT: '5' },
    ...{ BUILDKITE_ARTIFACT_PATHS: '', BUILDKITE_RETRY_COUNT: '0' },
    ...{ BUILDKITE_AGENT_ID: engine.slots[0]?.agent.id, BUILDKITE_AGENT_NAME: 'local-1' },
    ...{ BUILDKITE_AGENT_META_DATA_QUEUE: 'default', BUILDKITE_BUILD_CHECKOUT_PATH: folder },
  });
  expect(env).not.toHaveProperty('BUILDKITE_RETRY_TYPE');
});

test('a job of a build without a creator has empty creator names', async () => {
  const { env } = await firstSpec('{ command: a }');
  expect(env).toMatchObject({
    ...{ BUILDKITE_BUILD_CREATOR: '', BUILDKITE_STEP_KEY: '', BUILDKITE_ARTIFACT_PATHS: '' },
    ...{ BUILDKITE_TIMEOUT: 'false' },
  });
});

test('a retried job knows its retry count and reason', async () => {
  const { engine, runner, made, spec, states, parts } = await firstSpec('{ command: a }');
  runner.finish('a', { exitStatus: 1 });
  await until(() => states(made) === 'failed: failed');
  engine.change(made.id, (tree) => retryJob(tree, spec.jobId, 0, parts.newId));
  await until(() => runner.works.length === 2);
  expect(runner.works[1]?.env).toMatchObject({
    ...{ BUILDKITE_RETRY_COUNT: '1', BUILDKITE_RETRY_TYPE: 'manual' },
  });
});

test('a step without a command has no spec', async () => {
  const { steps, build, store, parts } = useScheduler();
  steps('wait');
  const { id } = await build();
  const tree = store.builds.tree(id);
  const job = tree?.jobs[0];
  if (tree === undefined || job === undefined) throw new Error('the build is not there');
  const there = (): Promise<string> => Promise.resolve('/');
  const prepared = {
    ...{ cwd: '/', preamble: [], release: () => Promise.resolve(), make: there, empty: there },
    source: '/',
  };
  const create = () => createJobSpec(parts, tree, job, prepared, 'token');
  expect(create).toThrow(`job ${job.id} has no command`);
});
