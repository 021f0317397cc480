import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { command, planOf, trigger, wait } from '../../../test/support/plans.ts';
import { until, useScheduler, type Scheduler } from '../../../test/support/scheduler.ts';
import { cancelBuild } from '../domain/build-lifecycle.ts';
import type { Build } from '../domain/records.ts';
import { usualRunOptions } from '../run-options.ts';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await setImmediate();
};

/** A pipeline `p` that triggers `deploy`, whose file contains the command `ship`. */
async function scene() {
  const scheduler = useScheduler();
  scheduler.steps('{ command: ship }');
  const deploy = scheduler.addPipeline('deploy');
  await scheduler.engine.start();
  const builds = (pipelineId = deploy.id): Build[] =>
    scheduler.store.builds.list({ pipelineId }, { offset: 0, limit: 99 });
  return { ...scheduler, deploy, builds };
}

const log = ({ store, parts }: Scheduler, { id }: Build, index = 0): string =>
  readFileSync(parts.logs.file(store.builds.tree(id)?.jobs[index]?.id ?? ''), 'utf8');

const plan = planOf(trigger('deploy', { label: 'Deploy' }), wait, command('after'));

test('a trigger creates a build of the other pipeline and ends like it', async () => {
  const scheduler = await scene();
  const { build, builds, runner, states } = scheduler;
  const made = await build({ plan, commit: 'c', branch: 'b' });
  await until(() => runner.works.length === 1);
  expect(states(made)).toBe('running: running waiting waiting');
  const [child] = builds();
  expect(child).toMatchObject({
    ...{ number: 1, source: 'trigger_job', commit: 'HEAD', branch: 'main', message: 'Deploy' },
    triggeredFrom: { buildId: made.id, number: 1, pipelineSlug: 'p' },
  });
  const line = 'Created build 1 of deploy: http://127.0.0.1:1/local/deploy/builds/1\n';
  expect(log(scheduler, made)).toBe(line);
  expect(runner.works[0]?.env).toMatchObject({
    BUILDKITE_SOURCE: 'trigger_job',
    BUILDKITE_TRIGGERED_FROM_BUILD_ID: made.id,
    BUILDKITE_TRIGGERED_FROM_BUILD_NUMBER: '1',
    BUILDKITE_TRIGGERED_FROM_BUILD_PIPELINE_SLUG: 'p',
  });
  runner.finish('ship');
  await until(() => runner.works.length === 2);
  expect(states(made)).toBe('running: passed passed running');
});

test("the build has the step's values and runs with the other pipeline's settings", async () => {
  const { build, builds } = await scene();
  const wanted = {
    ...{ commit: 'abc', branch: 'release', message: 'Ship it' },
    ...{ env: { A: 'b' }, metaData: { k: 'v' } },
  };
  const options = { ...usualRunOptions, secrets: { KEY: 'x' }, tty: false };
  await build({ plan: planOf(trigger('deploy', { build: wanted })), options });
  await until(() => builds().length === 1);
  expect(builds()[0]).toMatchObject({ ...wanted, options });
});

test.each([
  [1, 'failed: failed waiting_failed waiting_failed'],
  [0, 'passed: passed passed passed'],
])('a build that ends with %i makes the other %s', async (exitStatus, expected) => {
  const { build, runner, states } = await scene();
  const made = await build({ plan });
  await until(() => runner.works.length === 1);
  runner.finish('ship', { exitStatus });
  if (exitStatus === 0) {
    await until(() => runner.works.length === 2);
    runner.finish('after');
  }
  await until(() => states(made) === expected);
});

test('an async trigger passes as soon as the build is created', async () => {
  const { build, runner, states } = await scene();
  const made = await build({ plan: planOf(trigger('deploy', { async: true })) });
  await until(() => states(made) === 'passed: passed');
  await until(() => runner.works.length === 1);
});

test('canceling a build cancels the triggered builds that it waits for', async () => {
  const { build, builds, runner, engine, states } = await scene();
  const made = await build({ plan });
  await until(() => runner.works.length === 1);
  engine.change(made.id, (tree) => cancelBuild(tree, null, 0));
  await until(() => builds()[0]?.state === 'canceled');
  expect(runner.asked).toEqual(['ship cancel']);
  expect(states(made)).toBe('canceled: canceled canceled canceled');
  expect(builds()[0]?.cancelReason).toBe('The triggering build 1 was canceled');
});

test('a triggered build that is canceled fails the waiting job', async () => {
  const { build, builds, runner, engine, states } = await scene();
  const made = await build({ plan });
  await until(() => runner.works.length === 1);
  engine.change(builds()[0]?.id ?? '', (tree) => cancelBuild(tree, null, 0));
  await until(() => states(made) === 'failed: failed waiting_failed waiting_failed');
});

test('a restricted pipeline requires a rule, and the log shows the command that creates it', async () => {
  const scheduler = await scene();
  const { build, store, states, runner, pipeline, deploy, organization } = scheduler;
  store.pipelines.update({ ...deploy, restricted: true });
  const made = await build({ plan });
  await until(() => states(made).startsWith('failed'));
  expect(log(scheduler, made)).toBe(
    'The build could not be created: deploy is restricted; to allow this, create a rule: cictl rules create' +
      ' --type pipeline.trigger_build.pipeline --source p --target pipeline-deploy\n',
  );
  store.rules.add({
    ...{ id: 'rule', organizationId: organization.id, type: 'pipeline.trigger_build.pipeline' },
    ...{ sourceId: pipeline.id, targetId: deploy.id, createdAt: 0, createdById: null },
  });
  await build({ plan });
  await until(() => runner.works.length === 1);
});

test('a pipeline with an invalid file fails the job, and the log lists the problems', async () => {
  const scheduler = await scene();
  writeFileSync(join(scheduler.folder, 'pipeline.yml'), 'steps: [{ comand: a }]');
  const made = await scheduler.build({ plan });
  await until(() => scheduler.states(made).startsWith('failed'));
  expect(log(scheduler, made)).toMatch(
    /^The build could not be created: the pipeline file .*\n.*comand/,
  );
  expect(scheduler.builds()).toEqual([]);
});

test('builds that trigger each other stop at a limit', async () => {
  const scheduler = await scene();
  const { build, builds, states } = scheduler;
  let triggeredFrom: Build['triggeredFrom'] = null;
  for (let depth = 1; depth < 10; depth++) {
    const { id, number } = await build({ plan: planOf(wait), triggeredFrom });
    triggeredFrom = { jobId: 'job', buildId: id, number, pipelineSlug: 'p' };
  }
  const last = await build({ plan, triggeredFrom });
  await until(() => states(last).startsWith('failed'));
  expect(builds()).toEqual([]);
  expect(log(scheduler, last)).toBe(
    'The build could not be created: too many builds have triggered one another (at most 10)\n',
  );
});

test('an unknown pipeline is rejected before anything runs, or skipped', async () => {
  const { build, builds, states, runner } = await scene();
  const unknown = planOf(command('a'), trigger('deploi'));
  await expect(build({ plan: unknown })).rejects.toMatchObject({
    name: 'Refusal',
    message:
      'The trigger on line 2 cannot run: pipeline deploi does not exist here; did you mean deploy?' +
      ' Add it (cictl local pipeline add DIR --slug deploi), or skip it (--triggers skip)',
  });
  const options = { ...usualRunOptions, triggers: 'skip' } as const;
  const made = await build({ plan: unknown, options });
  await until(() => runner.works.length === 1);
  expect([made.number, states(made)]).toEqual([1, 'running: running skipped']);
  expect(builds()).toEqual([]);
});

test('a restarted service keeps waiting and creates missing builds', async () => {
  const { build, builds, runner, states, parts } = await scene();
  const made = await build({ plan: planOf(trigger('deploy'), trigger('deploy')) });
  const { createEngine } = await import('./engine.ts');
  await createEngine({ ...parts, runner: { ...runner } }).start();
  await until(() => builds().length === 2);
  await until(() => builds().every(({ state }) => state !== 'scheduled'));
  await createEngine(parts).start();
  await until(() => states(made) === 'failed: failed failed');
  await turns();
  expect(builds()).toHaveLength(2);
});
