import { expect, test } from 'vitest';
import { useScheduler } from '../../../test/support/scheduler.ts';
import type { Tree } from '../domain/records.ts';
import { environmentOf } from './environment.ts';

async function firstTree(text: string) {
  const scheduler = useScheduler();
  scheduler.steps(text);
  const { id } = await scheduler.build();
  const tree = scheduler.store.builds.tree(id);
  const job = tree?.jobs[0];
  if (tree === undefined || job === undefined) throw new Error('the build is not there');
  return { ...scheduler, tree, job };
}

test('a job that no agent has yet is shown without one', async () => {
  const { parts, tree, job } = await firstTree('{ command: a }');
  expect(environmentOf(parts, tree, job)).toMatchObject({
    ...{ BUILDKITE_COMMAND: 'a', BUILDKITE_AGENT_ID: '', BUILDKITE_AGENT_NAME: '' },
  });
});

test('a job in a slot knows the tags of the slots, whatever the pipeline says', async () => {
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

test('a build whose pipeline or organization is gone has no environment', async () => {
  const { parts, tree, job } = await firstTree('{ command: a }');
  const without = (members: Partial<Tree['build']>) => () =>
    environmentOf(parts, { ...tree, build: { ...tree.build, ...members } }, job);
  const text = `build ${tree.build.id} has lost its pipeline`;
  expect(without({ pipelineId: 'gone' })).toThrow(text);
  expect(without({ organizationId: 'gone' })).toThrow(text);
});
