import { expect, test } from 'vitest';
import { cancelBuild } from './build-lifecycle.ts';
import { recover, startJob, admitJob, finishTrigger, startTrigger } from './job-lifecycle.ts';
import {
  build,
  end,
  finish,
  expectStates,
  jobOf,
  outcome,
  start,
  buildOf,
  plan,
  agent,
  countingIds,
} from '../../../test/support/units/scenario.ts';
import type { Tree } from './records.ts';
import type { TriggerStep } from '../pipeline/plan.ts';
import { isWithAgent } from './job-states.ts';

const newId = (): string => 'job-9';

const other = { id: 'other', name: 'local-2', createdAt: 0 };

test('a started job records its agent and time, and the first one starts the build', () => {
  const one = start(build('a b'), 1, 2000);
  expect(jobOf(one, 'job-1')).toMatchObject({ agent: { name: 'local-1' }, startedAt: 2000 });
  expect(jobOf(one, 'job-2')).toMatchObject({ agent: null, startedAt: null });
  const both = startJob(one, 'job-2', other, 2500);
  expect(jobOf(both, 'job-2')).toMatchObject({ agent: other, startedAt: 2500 });
  expect(both.build.startedAt).toBe(2000);
});

test.each([
  ['that another agent has', start(build('a wait b'), 1), 'job-1'],
  ['that has ended', end(build('a wait b'), 1), 'job-1'],
  ['that waits for others', build('a wait b'), 'job-3'],
  ['that was canceled', cancelBuild(build('a'), null, 4000), 'job-1'],
])('rejects an agent that accepts a job %s', (_, tree, id) => {
  const after = startJob(tree, id, other, 9000);
  expect(after.jobs).toEqual(tree.jobs);
  expect(after.build.state).toBe(tree.build.state);
});

test('records how the process of a job ended', () => {
  const killed = outcome({ exitStatus: -1, signal: 'SIGSEGV', signalReason: 'process_run_error' });
  expect(jobOf(finish(start(build('a'), 1), 'job-1', killed, 3000), 'job-1')).toMatchObject({
    ...{ state: 'failed', exitStatus: -1, signal: 'SIGSEGV', signalReason: 'process_run_error' },
    ...{ softFailed: false, finishedAt: 3000 },
  });
});

test.each([
  ['a?', 0, 'passed', false],
  ['a?', 1, 'failed', true],
  ['a?0', 0, 'passed', false],
  ['a?3', 3, 'failed', true],
  ['a?3', 1, 'failed', false],
  ['a', 1, 'failed', false],
])('%s that exits with %i becomes %s, soft failure: %s', (words, exitStatus, state, softFailed) => {
  expect(jobOf(end(build(words), 1, exitStatus), 'job-1')).toMatchObject({ state, softFailed });
});

test('a canceled job has not failed, softly or otherwise', () => {
  const canceling = cancelBuild(start(build('a?'), 1), null, 4000);
  const ended = finish(canceling, 'job-1', outcome({ exitStatus: 1 }), 5000);
  expect(jobOf(ended, 'job-1')).toMatchObject({ state: 'canceled', softFailed: false });
});

test.each([
  ['is not there', 'job-7'],
  ['has not started', 'job-1'],
])('ignores a second end of a job that %s', (_, id) => {
  const tree = build('a');
  expect(finish(tree, id, outcome(), 9000)).toBe(tree);
});

test('after a restart, jobs that had not started or had finished stay unchanged', () => {
  const tree = end(build('a b wait c'), 1);
  expect(recover(tree, 9000, newId)).toBe(tree);
  const lost = recover(start(tree, 2), 9000, newId);
  expectStates(lost, 'failed: passed failed waiting_failed waiting_failed');
  expect(jobOf(lost, 'job-2')).toMatchObject({ signal: null, softFailed: false, finishedAt: 9000 });
});

/** A build whose commands share a concurrency group with this limit. */
function limited(words: string): Tree {
  const { steps, ...rest } = plan(words);
  const concurrency = { group: 'g', limit: 1, method: 'ordered' } as const;
  return buildOf({
    ...rest,
    steps: steps.map((step) => (step.type === 'command' ? { ...step, concurrency } : step)),
  });
}

test('a job in a concurrency group is limited until it gets a place', () => {
  const tree = limited('a wait b');
  expectStates(tree, 'scheduled: limited waiting waiting');
  expect(jobOf(tree, 'job-1')?.runnableAt).toBeNull();
  const admitted = admitJob(tree, 'job-1', 2000);
  expectStates(admitted, 'scheduled: scheduled waiting waiting');
  expect(jobOf(admitted, 'job-1')?.runnableAt).toBe(2000);
  expectStates(end(admitted, 1), 'running: passed passed limited');
});

test('only limited jobs get a place', () => {
  const running = start(admitJob(limited('a'), 'job-1', 2000), 1);
  expect(admitJob(running, 'job-1', 2000)).toBe(running);
  const canceled = cancelBuild(limited('a'), null, 2000);
  expect(admitJob(canceled, 'job-1', 2000)).toBe(canceled);
});

/** A trigger, a wait and a command. */
function triggering(members: Partial<TriggerStep> = {}): Tree {
  const { steps, ...rest } = plan('wait a');
  const build = { commit: null, branch: null, message: null, env: {}, metaData: {} };
  const trigger: TriggerStep = {
    ...{ key: null, label: null, line: 1, definition: 9, dependsOn: null, group: null },
    ...{ allowDependencyFailure: false, omitted: null, type: 'trigger', pipeline: 'deploy' },
    ...{ async: false, softFail: false, build },
    ...members,
  };
  return buildOf({ ...rest, steps: [trigger, ...steps] });
}

const triggered = { buildId: 'other', number: 7, pipelineSlug: 'deploy' };
const made = (tree: Tree): Tree => startTrigger(tree, 'job-1', triggered, 2000);

test('a trigger runs as long as the build it created', () => {
  const waiting = triggering();
  expectStates(waiting, 'scheduled: scheduled waiting waiting');
  const running = made(waiting);
  expectStates(running, 'running: running waiting waiting');
  expect(running.build.startedAt).toBe(2000);
  expect(jobOf(running, 'job-1')).toMatchObject({ triggered, startedAt: 2000, finishedAt: null });
  const passed = finishTrigger(running, 'job-1', 'passed', 3000);
  expectStates(passed, 'running: passed passed scheduled');
  expect(jobOf(passed, 'job-1')?.finishedAt).toBe(3000);
  expect(finishTrigger(passed, 'job-1', 'failed', 4000)).toBe(passed);
});

test('an async trigger passes once its build is created', () => {
  const passed = made(triggering({ async: true }));
  expectStates(passed, 'running: passed passed scheduled');
  expect(jobOf(passed, 'job-1')).toMatchObject({ triggered, finishedAt: 2000 });
  expect(made(passed)).toBe(passed);
});

test.each([
  ['failed', false, 'failed: failed waiting_failed waiting_failed'],
  ['canceled', false, 'failed: failed waiting_failed waiting_failed'],
  ['failed', true, 'running: failed passed scheduled'],
  ['failed', [1], 'running: failed passed scheduled'],
  ['failed', [2], 'failed: failed waiting_failed waiting_failed'],
] as const)('a triggered build that is %s, with soft_fail %s', (outcome, softFail, expected) => {
  expectStates(finishTrigger(made(triggering({ softFail })), 'job-1', outcome, 3000), expected);
});

test('a trigger that creates no build is failed or skipped', () => {
  const failed = finishTrigger(triggering(), 'job-1', 'failed', 3000);
  expectStates(failed, 'failed: failed waiting_failed waiting_failed');
  const skipped = finishTrigger(triggering(), 'job-1', 'skipped', 3000);
  expectStates(skipped, 'scheduled: skipped passed scheduled');
});

test('a trigger needs no agent: it is canceled at once and never lost', () => {
  const waiting = triggering();
  expect(startJob(waiting, 'job-1', agent, 2000)).toBe(waiting);
  const running = made(waiting);
  expect(running.jobs.some(isWithAgent)).toBe(false);
  expect(recover(running, 9000, countingIds('new'))).toBe(running);
  const canceled = cancelBuild(running, null, 4000);
  expectStates(canceled, 'canceled: canceled canceled canceled');
  expect(finishTrigger(canceled, 'job-1', 'passed', 5000)).toBe(canceled);
});

test('only a trigger step creates a build', () => {
  const tree = finishTrigger(made(triggering()), 'job-1', 'passed', 3000);
  expect(startTrigger(tree, 'job-3', triggered, 4000)).toBe(tree);
  expect(finishTrigger(tree, 'job-3', 'passed', 4000)).toBe(tree);
});
