import { expect, test } from 'vitest';
import { cancelBuild, skipBuild } from './build-lifecycle.ts';
import type { JobState, Tree } from './records.ts';
import {
  build,
  end,
  expectStates,
  jobOf,
  start,
  withJob,
} from '../../../test/support/units/scenario.ts';
import { settle } from './settle.ts';

const inState = (tree: Tree, id: string, state: JobState): Tree =>
  settle(withJob(tree, id, { state }), 5000);

test.each([
  ['scheduled', build('a wait b')],
  ['running', start(build('a wait b'), 1)],
  ['failing', end(build('a b'), 1, 1)],
  ['passed', end(build('a'), 1)],
  ['failed', end(build('a'), 1, 1)],
  ['blocked', end(build('a block b'), 1)],
  ['being canceled', cancelBuild(start(build('a b'), 1), null, 4000)],
  ['canceled', cancelBuild(build('a wait b'), null, 4000)],
  ['skipped', skipBuild(build('a wait b'), 'newer', 4000)],
])('a build that is %s stays unchanged until something happens', (_, tree) => {
  const settled = settle(tree, 9000);
  expect(settled.build).toBe(tree.build);
  expect(settled.jobs).toBe(tree.jobs);
});

test('a wait finishes as soon as it is reached, a job does not', () => {
  const tree = end(build('a wait b block'), 1, 0, 3000);
  expect(jobOf(tree, 'job-2')).toMatchObject({ runnableAt: 3000, finishedAt: 3000 });
  expect(jobOf(tree, 'job-3')).toMatchObject({ runnableAt: 3000, finishedAt: null });
  expect(jobOf(tree, 'job-4')).toMatchObject({ runnableAt: null, finishedAt: null });
});

test('a job that never runs was never runnable', () => {
  const tree = end(build('a wait b'), 1, 1);
  expect(jobOf(tree, 'job-3')).toMatchObject({ state: 'waiting_failed', runnableAt: null });
});

test.each(['canceling', 'canceled'] as const)('starts nothing in a %s build', (state) => {
  const tree = end(build('a wait b'), 1, 1);
  const waiting = withJob(withJob(tree, 'job-2', { state: 'passed' }), 'job-3', {
    state: 'waiting',
  });
  const settled = settle({ ...waiting, build: { ...waiting.build, state } }, 5000);
  expect(jobOf(settled, 'job-3')?.state).toBe('waiting');
});

test.each(['failed', 'timed_out', 'canceled'] as const)(
  'a job that is %s fails its build and its dependent jobs',
  (state) => {
    const tree = inState(build('a wait b'), 'job-1', state);
    expectStates(tree, `failed: ${state} waiting_failed waiting_failed`);
  },
);

test.each(['passed', 'skipped', 'broken'] as const)(
  'dependent jobs run after a job that is %s',
  (state) => {
    expectStates(
      inState(build('a wait b'), 'job-1', state),
      `scheduled: ${state} passed scheduled`,
    );
  },
);

test('dependent jobs wait for a job that a limit holds back', () => {
  expectStates(
    inState(build('a wait b'), 'job-1', 'limited'),
    'scheduled: limited waiting waiting',
  );
});

test('a build is not_run if no job ran, and passed if some did', () => {
  const none = inState(build('a'), 'job-1', 'skipped');
  expectStates(none, 'not_run: skipped');
  expect(none.build.finishedAt).toBe(5000);
  expectStates(inState(end(build('a b'), 1), 'job-2', 'skipped'), 'passed: passed skipped');
  expectStates(build('a~ wait b~'), 'not_run: broken passed broken');
  expectStates(build('a~ wait b'), 'scheduled: broken passed scheduled');
  expect(build('a~').jobs[0]).toMatchObject({ startedAt: null, finishedAt: 1000 });
});

test('a failed build stays failed while it is blocked', () => {
  const tree = withJob(build('a block b'), 'job-2', { state: 'blocked' });
  expectStates(inState(tree, 'job-1', 'failed'), 'failed+blocked: failed blocked waiting');
});

test('a build has no finish time while scheduled, failing or canceling', () => {
  const ended = end(build('a b'), 1, 1);
  expect(ended.build).toMatchObject({ state: 'failing', finishedAt: null });
  expect(build('a').build).toMatchObject({ state: 'scheduled', finishedAt: null });
  const canceling = cancelBuild(start(build('a'), 1), null, 4000);
  expect(canceling.build).toMatchObject({ state: 'canceling', finishedAt: null });
});
