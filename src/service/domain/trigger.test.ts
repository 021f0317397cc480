import { expect, test } from 'vitest';
import type { TriggerStep } from '../pipeline/plan.ts';
import { cancelBuild } from './cancel.ts';
import { isWithAgent } from './end-job.ts';
import { recover, startJob } from './job-lifecycle.ts';
import type { Tree } from './records.ts';
import { agent, buildOf, countingIds, expectStates, jobOf, plan } from './scenario.ts';
import { finishTrigger, startTrigger } from './trigger.ts';

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

test('a trigger runs as long as the build that it has made', () => {
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

test('one that waits for nothing has passed with the build made', () => {
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
] as const)('a build that is %s, with soft_fail %s', (outcome, softFail, expected) => {
  expectStates(finishTrigger(made(triggering({ softFail })), 'job-1', outcome, 3000), expected);
});

test('a trigger that makes no build is failed or skipped', () => {
  const failed = finishTrigger(triggering(), 'job-1', 'failed', 3000);
  expectStates(failed, 'failed: failed waiting_failed waiting_failed');
  const skipped = finishTrigger(triggering(), 'job-1', 'skipped', 3000);
  expectStates(skipped, 'scheduled: skipped passed scheduled');
});

test('no agent has a trigger: it is canceled at once, and never lost', () => {
  const waiting = triggering();
  expect(startJob(waiting, 'job-1', agent, 2000)).toBe(waiting);
  const running = made(waiting);
  expect(running.jobs.some(isWithAgent)).toBe(false);
  expect(recover(running, 9000, countingIds('new'))).toBe(running);
  const canceled = cancelBuild(running, null, 4000);
  expectStates(canceled, 'canceled: canceled canceled canceled');
  expect(finishTrigger(canceled, 'job-1', 'passed', 5000)).toBe(canceled);
});

test('what is no trigger makes no build', () => {
  const tree = finishTrigger(made(triggering()), 'job-1', 'passed', 3000);
  expect(startTrigger(tree, 'job-3', triggered, 4000)).toBe(tree);
  expect(finishTrigger(tree, 'job-3', 'passed', 4000)).toBe(tree);
});
