import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { until, useScheduler, type Scheduler } from '../../../test/support/scheduler.ts';
import { tickingClock } from '../../../test/service/ticking-clock.ts';
import { cancelBuild } from '../domain/build-lifecycle.ts';
import type { Leftovers } from '../runner-port.ts';
import type { Build } from '../domain/records.ts';
import { hashOf } from '../secrets.ts';

const commands = ({ runner }: Scheduler): string[] => runner.works.map(({ command }) => command);

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
};

const jobOf = ({ store }: Scheduler, { id }: Build, index = 0) =>
  store.builds.tree(id)?.jobs[index];

const logOf = (scheduler: Scheduler, build: Build): string =>
  readFileSync(scheduler.parts.logs.file(jobOf(scheduler, build)?.id ?? ''), 'utf8');

test('starts as many jobs as there are slots', async () => {
  const scheduler = useScheduler();
  const { engine, runner, steps, build, states } = scheduler;
  steps('{ command: a }, { command: b }, { command: c }');
  const made = await build();
  await turns();
  expect(states(made)).toBe('scheduled: scheduled scheduled scheduled');
  await engine.start();
  await until(() => runner.works.length === 2);
  await turns();
  expect(commands(scheduler)).toEqual(['a', 'b']);
  runner.finish('b');
  await until(() => runner.works.length === 3);
  expect(states(made)).toBe('running: running passed running');
});

test('a slot names its job and organization while it runs one', async () => {
  const scheduler = useScheduler();
  const { engine, runner, steps, build, organization } = scheduler;
  const idle = { jobId: null, organizationId: null, running: null };
  const named = engine.slots.map(({ agent }) => agent.name);
  expect(named).toEqual(['local-1', 'local-2']);
  steps('{ command: a }');
  await engine.start();
  const made = await build();
  await until(() => runner.works.length === 1);
  const jobId = jobOf(scheduler, made)?.id;
  expect(engine.slots[0]).toMatchObject({ jobId, organizationId: organization.id });
  expect(engine.slots[0]?.running).not.toBeNull();
  expect(engine.slots[1]).toMatchObject(idle);
  expect(jobOf(scheduler, made)?.agent).toEqual(engine.slots[0]?.agent);
  runner.finish('a');
  await until(() => engine.slots[0]?.jobId === null);
  expect(engine.slots[0]).toMatchObject(idle);
});

test('stores the outcome of a job, and starts dependent jobs', async () => {
  const { engine, runner, steps, build, states, ...rest } = useScheduler();
  steps('{ command: a, soft_fail: [{ exit_status: 3 }] }, wait, { command: b }');
  await engine.start();
  const made = await build();
  await until(() => runner.works.length === 1);
  runner.finish('a', { exitStatus: 3 });
  await until(() => runner.works.length === 2);
  runner.finish('b', { exitStatus: -1, signal: 'SIGSEGV' });
  await until(() => states(made).startsWith('failed'));
  expect(states(made)).toBe('failed: failed passed failed');
  const last = rest.store.builds.tree(made.id)?.jobs[2];
  expect(last).toMatchObject({ exitStatus: -1, signal: 'SIGSEGV' });
});

test('the token of a job is valid until the job ends', async () => {
  const { engine, runner, steps, build, states, store } = useScheduler();
  steps('{ command: a }, { command: b }');
  await engine.start();
  const made = await build();
  await until(() => runner.works.length === 2);
  const known = () =>
    runner.works.map(({ secrets }) => store.accounts.token(hashOf(secrets[0] ?? '')));
  expect(known()).toMatchObject([{ kind: 'job' }, { kind: 'job' }]);
  runner.finish('a');
  await until(() => states(made) === 'running: passed running');
  expect(known()).toMatchObject([undefined, { kind: 'job' }]);
});

test('canceling a build stops its own processes only', async () => {
  const { engine, runner, steps, build, states } = useScheduler();
  await engine.start();
  steps('{ command: a }');
  const one = await build();
  steps('{ command: b }');
  const other = await build();
  await until(() => runner.works.length === 2);
  const canceling = engine.change(one.id, (tree) => cancelBuild(tree, null, 0));
  expect(canceling.build.state).toBe('canceling');
  expect(runner.asked).toEqual(['a cancel']);
  await until(() => states(one) === 'canceled: canceled');
  expect(states(other)).toBe('running: running');
});

test('a job canceled while its workspace is prepared never starts', async () => {
  const clock = tickingClock();
  let whenTaken = (): void => undefined;
  const now = (): number => {
    queueMicrotask(() => whenTaken());
    return clock.now();
  };
  const { engine, runner, steps, build, states, store } = useScheduler({
    clock: { ...clock, now },
  });
  steps('{ command: a }');
  const made = await build();
  whenTaken = () => {
    whenTaken = () => undefined;
    engine.change(made.id, (tree) => cancelBuild(tree, null, 0));
  };
  await engine.start();
  await until(() => states(made) === 'canceled: canceled');
  expect(runner.works).toEqual([]);
  expect(store.builds.tree(made.id)?.jobs[0]).toMatchObject({
    ...{ exitStatus: -1, signal: null, signalReason: 'cancel' },
  });
});

test('a job whose workspace cannot be made fails, with the reason in its log', async () => {
  const scheduler = useScheduler();
  const { engine, steps, build, states } = scheduler;
  steps('{ command: a }');
  await engine.start();
  writeFileSync(scheduler.parts.workspaces, 'no folder');
  const made = await build({ cleanCheckout: true });
  await until(() => states(made) === 'failed: failed');
  expect(jobOf(scheduler, made)).toMatchObject({
    exitStatus: -1,
    signalReason: 'process_run_error',
  });
  expect(logOf(scheduler, made)).toMatch(/^The job could not be started: EEXIST: .*\n$/);
});

test('a job removes its workspace, and its slot takes the next job', async () => {
  const { engine, runner, steps, build, states, parts } = useScheduler({ slots: 1 });
  steps('{ command: a }, { command: b }');
  await engine.start();
  const made = await build({ workspace: 'copy' });
  await until(() => runner.works.length === 1);
  expect(readdirSync(parts.workspaces)).toEqual([runner.works[0]?.jobId]);
  runner.finish('a');
  await until(() => runner.works.length === 2);
  expect(readdirSync(parts.workspaces)).toEqual([runner.works[1]?.jobId]);
  runner.finish('b');
  await until(() => states(made) === 'passed: passed passed');
  expect(readdirSync(parts.workspaces)).toEqual([]);
});

test('a missing build cannot be changed', () => {
  const { engine } = useScheduler();
  expect(() => engine.change('none', (tree) => tree)).toThrow('build none does not exist');
  expect(engine.storageError()).toBeNull();
});

test.each([
  [false, ['a cancel', 'b cancel']],
  [true, ['a kill', 'b kill']],
])('stopping with kill %s stops running jobs and starts none', async (kill, asked) => {
  const scheduler = useScheduler();
  const { engine, runner, steps, build, states } = scheduler;
  steps('{ command: a }, { command: b }, { command: c }');
  await engine.start();
  const made = await build();
  await until(() => runner.works.length === 2);
  await engine.stop(kill);
  expect(runner.asked).toEqual(asked);
  expect(states(made)).toBe('failing: failed failed scheduled');
  expect(jobOf(scheduler, made)).toMatchObject({ exitStatus: -1, signalReason: 'agent_stop' });
  const line = 'The service was stopped while this job was running; the job is marked as failed.\n';
  expect(logOf(scheduler, made)).toBe(line);
  await turns();
  expect(runner.works).toHaveLength(2);
});

test('jobs running when the service was killed have failed after a restart', async () => {
  const reaped: string[] = [];
  const scheduler = useScheduler();
  const { engine, runner, steps, build, states, parts, store } = scheduler;
  steps('{ command: a }, { command: b }');
  await engine.start();
  const made = await build();
  await until(() => runner.works.length === 2);
  runner.finish('b');
  await until(() => states(made) === 'running: running passed');
  mkdirSync(join(parts.workspaces, 'left'), { recursive: true });
  const reap = ({ jobIds }: Leftovers) => void reaped.push(...jobIds);
  const { createEngine } = await import('./engine.ts');
  await createEngine({ ...parts, runner: { ...runner, reap } }).start();
  expect(states(made)).toBe('failed: failed passed');
  expect(reaped).toEqual([jobOf(scheduler, made)?.id]);
  expect(logOf(scheduler, made)).toContain('the job is marked as failed');
  expect(existsSync(parts.workspaces)).toBe(false);
  expect(store.accounts.token(hashOf(runner.works[0]?.secrets[0] ?? ''))).toBeUndefined();
});
