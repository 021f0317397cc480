/** The effects of step members: processes, environment, and the state after a restart. */
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { command, planOf, wait } from '../../../test/support/plans.ts';
import { until, useScheduler, type Scheduler } from '../../../test/support/scheduler.ts';
import type { Build } from '../domain/records.ts';
import { uploadSteps } from '../domain/upload.ts';
import type { CommandStep } from '../pipeline/plan.ts';
import { openStore } from '../store/store.ts';
import { rebuild } from './make-build.ts';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
};

const running = ({ runner }: Scheduler): string[] => runner.works.map((work) => work.command);

const retrying = (limit: number): Partial<CommandStep> => ({
  retry: {
    automatic: [{ exitStatus: [7], signal: null, signalReason: null, limit }],
    manual: { allowed: true, permitOnPassed: false, reason: null },
  },
});

test('an automatic retry starts, and knows that it is one', async () => {
  const { engine, runner, build, states, store } = useScheduler();
  await engine.start();
  const made = await build({ plan: planOf(command('a', retrying(1)), wait, command('b')) });
  await until(() => runner.works.length === 1);
  expect(runner.works[0]?.env).toMatchObject({ BUILDKITE_RETRY_COUNT: '0' });
  runner.finish('a', { exitStatus: 7 });
  await until(() => runner.works.length === 2);
  expect(states(made)).toBe('running: failed running waiting waiting');
  expect(runner.works[1]).toMatchObject({
    command: 'a',
    env: { BUILDKITE_RETRY_COUNT: '1', BUILDKITE_RETRY_TYPE: 'automatic' },
  });
  const [first, second] = store.builds.tree(made.id)?.jobs ?? [];
  expect([first?.stepId, first?.retriedInJobId]).toEqual([second?.stepId, second?.id]);
  runner.finish('a', { exitStatus: 7 });
  await until(() => states(made) === 'failed: failed failed waiting_failed waiting_failed');
});

test('a job lost by the service is retried if a rule says so', async () => {
  const scheduler = useScheduler();
  const { engine, runner, build, states, parts } = scheduler;
  await engine.start();
  const { automatic } = {
    automatic: [{ exitStatus: [-1], signal: null, signalReason: null, limit: 1 }],
  };
  const retry = { automatic, manual: { allowed: true, permitOnPassed: false, reason: null } };
  const made = await build({ plan: planOf(command('a', { retry })) });
  await until(() => runner.works.length === 1);
  const { createEngine } = await import('./engine.ts');
  await createEngine(parts).start();
  await until(() => runner.works.length === 2);
  expect(states(made)).toBe('running: failed running');
});

test('a failing build stops jobs with cancel_on_build_failing', async () => {
  const scheduler = useScheduler({ slots: 3 });
  const { engine, runner, build, states } = scheduler;
  await engine.start();
  const cancelOnBuildFailing = true;
  const made = await build({
    plan: planOf(command('a'), command('b', { cancelOnBuildFailing }), command('c')),
  });
  await until(() => runner.works.length === 3);
  runner.finish('a', { exitStatus: 1 });
  await until(() => states(made) === 'failing: failed canceled running');
  expect(runner.asked).toEqual(['b cancel']);
});

test('order is by priority, then by age of the build, then by step', async () => {
  const scheduler = useScheduler({ slots: 1 });
  const { engine, runner, build, parts, store } = scheduler;
  const first = await build({ plan: planOf(command('a'), command('b', { priority: -1 })) });
  await build({ plan: planOf(command('c'), command('d', { priority: 2 })) });
  await engine.start();
  await until(() => runner.works.length === 1);
  expect(running(scheduler)).toEqual(['d']);
  const { retryJob } = await import('../domain/retry.ts');
  runner.finish('d');
  await until(() => runner.works.length === 2);
  runner.finish('a', { exitStatus: 1 });
  await until(() => runner.works.length === 3);
  const old = store.builds.tree(first.id)?.jobs[0]?.id ?? '';
  engine.change(first.id, (tree) => retryJob(tree, old, parts.clock.now(), parts.newId));
  expect(running(scheduler)).toEqual(['d', 'a', 'c']);
  runner.finish('c');
  await until(() => runner.works.length === 4);
  expect(running(scheduler).at(-1)).toBe('a');
});

/** A build whose job `a` has uploaded `n` after itself. */
async function uploaded(scheduler: Scheduler): Promise<Build> {
  const { engine, runner, build, parts } = scheduler;
  await engine.start();
  const made = await build({ plan: planOf(command('a'), wait, command('b')) });
  await until(() => runner.works.length === 1);
  const jobId = runner.works[0]?.jobId ?? '';
  const plan = planOf(command('n', { key: 'new' }));
  engine.change(made.id, (tree) =>
    uploadSteps(tree, jobId, { plan, replace: false }, parts.clock.now(), parts.newId),
  );
  return made;
}

test('uploaded steps survive a restart', async () => {
  const scheduler = useScheduler();
  const { runner, store, states, dataDir } = scheduler;
  const made = await uploaded(scheduler);
  await until(() => runner.works.length === 2);
  expect(running(scheduler)).toEqual(['a', 'n']);
  expect(states(made)).toBe('running: running running waiting waiting');
  const again = openStore(dataDir);
  onTestFinished(() => again.close());
  const tree = again.builds.tree(made.id);
  expect(tree?.plan.steps).toEqual(store.builds.tree(made.id)?.plan.steps);
  expect(tree?.jobs.map(({ step, state }) => `${step} ${state}`)).toEqual([
    ...['0 running', '1 running', '2 waiting', '3 waiting'],
  ]);
  const window = { after: null, before: null, limit: 9, fromEnd: false };
  const found = again.jobs.window({ buildId: made.id, stepKeys: ['new'] }, 'steps', window);
  expect(found).toEqual([{ id: tree?.jobs[1]?.id, buildId: made.id }]);
});

test('a rebuild of given steps starts with those, without uploaded ones', async () => {
  const scheduler = useScheduler();
  const { store, organization, pipeline, parts, engine } = scheduler;
  const made = await uploaded(scheduler);
  await turns();
  const again = await rebuild({ ...parts, engine }, { organization, pipeline }, made, undefined);
  expect(store.builds.tree(again.id)?.plan.steps).toHaveLength(3);
});
