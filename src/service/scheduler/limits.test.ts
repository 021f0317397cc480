import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { block, command, planOf, wait } from '../../../test/support/plans.ts';
import { until, useScheduler, type Scheduler } from '../../../test/support/scheduler.ts';
import { cancelBuild } from '../domain/build-lifecycle.ts';
import { unblockJob } from '../domain/unblock.ts';
import type { Concurrency } from '../pipeline/plan.ts';

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
};

const running = ({ runner }: Scheduler): string[] => runner.works.map((work) => work.command);

const one: Concurrency = { group: 'deploy', limit: 1, method: 'ordered' };

const deploy = (name: string, concurrency: Concurrency = one) => command(name, { concurrency });

async function scene() {
  const scheduler = useScheduler({ slots: 9 });
  await scheduler.engine.start();
  return scheduler;
}

test('runs one job of a group at a time, across builds and pipelines, in creation order', async () => {
  const scheduler = await scene();
  const { build, runner, states, addPipeline } = scheduler;
  const first = await build({ plan: planOf(deploy('a'), deploy('b')) });
  const second = await build({ plan: planOf(deploy('c')) }, addPipeline('q'));
  await turns();
  expect(running(scheduler)).toEqual(['a']);
  expect([states(first), states(second)]).toEqual([
    'running: running limited',
    'scheduled: limited',
  ]);
  runner.finish('a', { exitStatus: 1 });
  await until(() => runner.works.length === 2);
  expect(running(scheduler)).toEqual(['a', 'b']);
  runner.finish('b');
  await until(() => runner.works.length === 3);
  expect(running(scheduler)).toEqual(['a', 'b', 'c']);
});

test('runs as many jobs as the limit allows, independent of other groups', async () => {
  const scheduler = await scene();
  const two = { ...one, limit: 2 };
  const other = { ...one, group: 'other' };
  const steps = [...['a', 'b', 'c'].map((name) => deploy(name, two)), deploy('d', other)];
  await scheduler.build({ plan: planOf(...steps) });
  await turns();
  expect(running(scheduler)).toEqual(['a', 'b', 'd']);
});

const gate = (method: Concurrency['method']) => {
  const concurrency = { ...one, method };
  return planOf(
    deploy('open', concurrency),
    wait,
    command('x'),
    wait,
    deploy('close', concurrency),
  );
};

test('with ordered, a build holds its place between its first and last job', async () => {
  const scheduler = await scene();
  const { build, runner } = scheduler;
  await build({ plan: gate('ordered') });
  const second = await build({ plan: planOf(deploy('next')) });
  await until(() => runner.works.length === 1);
  runner.finish('open');
  await until(() => runner.works.length === 2);
  await turns();
  expect(running(scheduler)).toEqual(['open', 'x']);
  expect(scheduler.states(second)).toBe('scheduled: limited');
  runner.finish('x');
  await until(() => runner.works.length === 3);
  runner.finish('close');
  await until(() => runner.works.length === 4);
  expect(running(scheduler)).toEqual(['open', 'x', 'close', 'next']);
});

test('with eager, the first ready job runs', async () => {
  const scheduler = await scene();
  const { build, runner } = scheduler;
  await build({ plan: gate('eager') });
  await build({ plan: planOf(deploy('next', { ...one, method: 'eager' })) });
  await until(() => runner.works.length === 1);
  runner.finish('open');
  await until(() => runner.works.length === 3);
  expect(running(scheduler).sort()).toEqual(['next', 'open', 'x']);
});

test('a job can depend on a later one of its own group', async () => {
  const scheduler = await scene();
  const dependsOn = [{ step: 'late', allowFailure: false }];
  const early = { ...deploy('early'), dependsOn };
  const late = { ...deploy('late'), key: 'late', dependsOn: [] };
  await scheduler.build({ plan: planOf(early, late) });
  await turns();
  expect(running(scheduler)).toEqual(['late']);
});

test('a blocked build does not delay others', async () => {
  const scheduler = await scene();
  const { build, runner, engine, store } = scheduler;
  const first = await build({ plan: planOf(block, deploy('a')) });
  await build({ plan: planOf(deploy('b')) });
  await until(() => runner.works.length === 1);
  expect(running(scheduler)).toEqual(['b']);
  const gateId = store.builds.tree(first.id)?.jobs[0]?.id ?? '';
  engine.change(first.id, (tree) => unblockJob(tree, gateId, { userId: null, fields: {} }, 0));
  await turns();
  expect(scheduler.states(first)).toBe('scheduled: unblocked limited');
  runner.finish('b');
  await until(() => runner.works.length === 2);
  expect(running(scheduler)).toEqual(['b', 'a']);
});

test('a canceled build releases its places', async () => {
  const scheduler = await scene();
  const { build, runner, engine, states } = scheduler;
  const first = await build({ plan: planOf(deploy('a'), deploy('b')) });
  await build({ plan: planOf(deploy('c')) });
  await until(() => runner.works.length === 1);
  engine.change(first.id, (tree) => cancelBuild(tree, null, 0));
  await until(() => runner.works.length === 2);
  expect(states(first)).toBe('canceled: canceled canceled');
  expect(running(scheduler)).toEqual(['a', 'c']);
});

test('jobs still wait for a place after a restart', async () => {
  const scheduler = await scene();
  const { build, runner, states, parts } = scheduler;
  const first = await build({ plan: planOf(deploy('a'), deploy('b')) });
  await until(() => runner.works.length === 1);
  expect(states(first)).toBe('running: running limited');
  const { createEngine } = await import('./engine.ts');
  const again = createEngine(parts);
  await again.start();
  await until(() => runner.works.length === 2);
  expect(states(first)).toBe('failing: failed running');
  runner.finish('b');
  await until(() => states(first) === 'failed: failed passed');
});
