import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { until, useScheduler } from '../../../test/support/scheduler.ts';

const full = Object.assign(new Error('disk is full'), { code: 'SQLITE_FULL' });

/** A scheduler whose timers the test controls. */
async function scene() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const scheduler = useScheduler();
  scheduler.steps('{ command: a }');
  await scheduler.engine.start();
  const made = await scheduler.build();
  return { ...scheduler, made };
}

async function runningScene() {
  const scheduler = await scene();
  const { runner, parts } = scheduler;
  await until(() => runner.works.length === 1);
  const log = (): string => readFileSync(parts.logs.file(runner.works[0]?.jobId ?? ''), 'utf8');
  return { ...scheduler, log };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
};

test('retries a second later if jobs cannot be started on a full disk', async () => {
  const { engine, runner, failWrites, states, made } = await scene();
  failWrites(full);
  await until(() => engine.storageError() !== null);
  expect(engine.storageError()).toBe('disk is full');
  failWrites(null);
  vi.advanceTimersByTime(999);
  await turns();
  expect(states(made)).toBe('scheduled: scheduled');
  vi.advanceTimersByTime(1);
  await until(() => runner.works.length === 1);
  expect(engine.storageError()).toBeNull();
});

test('another error while starting jobs is not reported as a full disk, and passes too', async () => {
  const { engine, runner, failWrites } = await scene();
  failWrites(new Error('broken'));
  await turns();
  expect(engine.storageError()).toBeNull();
  failWrites(null);
  vi.advanceTimersByTime(1000);
  await until(() => runner.works.length === 1);
});

test('stores the outcome of a job as soon as the disk allows it', async () => {
  const { engine, runner, failWrites, states, store, made } = await runningScene();
  failWrites(full);
  runner.finish('a', { exitStatus: 3 });
  await until(() => engine.storageError() === 'disk is full');
  vi.advanceTimersByTime(1000);
  await turns();
  expect(states(made)).toBe('running: running');
  failWrites(null);
  vi.advanceTimersByTime(1000);
  await until(() => states(made) === 'failed: failed');
  expect(store.builds.tree(made.id)?.jobs[0]?.exitStatus).toBe(3);
  expect(engine.storageError()).toBeNull();
});

test('an outcome that cannot be stored before shutdown is lost, with a line in the log', async () => {
  const { engine, runner, failWrites, states, made, log } = await runningScene();
  failWrites(full);
  runner.finish('a', { exitStatus: 3 });
  await until(() => engine.storageError() !== null);
  const stopped = engine.stop(false);
  vi.advanceTimersByTime(1000);
  await stopped;
  expect(log()).toBe('The outcome of this job could not be stored: disk is full\n');
  expect(states(made)).toBe('running: running');
});

test('does not retry an outcome that fails to be stored for another reason', async () => {
  const { engine, runner, failWrites, log } = await runningScene();
  failWrites(new Error('broken'));
  runner.finish('a');
  await until(() => log() !== '');
  expect(log()).toBe('The outcome of this job could not be stored: broken\n');
  expect(engine.storageError()).toBeNull();
});
