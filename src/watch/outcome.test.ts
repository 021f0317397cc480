import { expect, test } from 'vitest';
import type { Build } from '../api/resources/build.ts';
import { buildExit, isBoundToFail, isSettled, jobExit, worst, isFailedJob } from './outcome.ts';

const blockedWith = (...states: string[]): Build => ({
  state: 'passed',
  blocked: true,
  jobs: states.map((state) => ({ state })),
});

test.each<[string, Build, boolean]>([
  ['passed', { state: 'passed' }, true],
  ['failed', { state: 'failed', blocked: false }, true],
  ['canceled', { state: 'canceled' }, true],
  ['skipped', { state: 'skipped' }, true],
  ['not run', { state: 'not_run' }, true],
  ['blocked as a state', { state: 'blocked' }, true],
  ['scheduled', { state: 'scheduled' }, false],
  ['running', { state: 'running' }, false],
  ['failing', { state: 'failing' }, false],
  ['canceling', { state: 'canceling' }, false],
  ['creating', { state: 'creating' }, false],
  ['a state of tomorrow', { state: 'pondering' }, false],
  ['no state at all', {}, false],
  ['blocked without jobs', { state: 'running', blocked: true, jobs: null }, true],
  ['blocked, the rest done', blockedWith('passed', 'blocked', 'pending', 'waiting'), true],
  ['blocked, a job scheduled', blockedWith('blocked', 'scheduled'), false],
  ['blocked, a job assigned', blockedWith('blocked', 'assigned'), false],
  ['blocked, a job accepted', blockedWith('blocked', 'accepted'), false],
  ['blocked, a job running', blockedWith('blocked', 'running'), false],
  ['blocked, a job canceling', blockedWith('blocked', 'canceling'), false],
  ['blocked, a job timing out', blockedWith('blocked', 'timing_out'), false],
])('settled: %s', (_, build, settled) => {
  expect(isSettled(build)).toBe(settled);
});

test.each<[Build, boolean]>([
  [{ state: 'running' }, false],
  [{ state: 'failing' }, true],
  [{ state: 'failed', blocked: true }, true],
  [{ state: 'canceling' }, false],
  [{ state: 'running', jobs: [{ state: 'passed' }, { state: 'running' }] }, false],
  [{ state: 'running', jobs: [{ state: 'passed' }, { state: 'failed' }] }, true],
  [{ state: 'running', jobs: [{ state: 'timed_out' }] }, true],
  [{ state: 'running', jobs: [{ state: 'failed', soft_failed: true }] }, false],
  [{ state: 'running', jobs: [{ state: 'failed', retried: true }] }, false],
  [{ state: 'running', jobs: [{ state: 'broken' }] }, false],
])('%j is bound to fail: %s', (build, bound) => {
  expect(isBoundToFail(build)).toBe(bound);
});

test.each<[Build, Parameters<typeof buildExit>[1], number]>([
  [{ state: 'passed' }, {}, 0],
  [{ state: 'constructor' }, {}, 0],
  [{ state: 'failed' }, {}, 1],
  [{ state: 'failing' }, {}, 1],
  [{ state: 'canceled' }, {}, 3],
  [{ state: 'passed', blocked: true }, {}, 4],
  [{ state: 'failed', blocked: true }, {}, 4],
  [{ state: 'blocked' }, {}, 4],
  [{ state: 'passed', blocked: true }, { allowSkipped: true }, 4],
  [{ state: 'passed', blocked: true }, { allowBlocked: true }, 0],
  [{ state: 'running', blocked: true }, { allowBlocked: true }, 0],
  [{ state: 'blocked' }, { allowBlocked: true }, 0],
  [{ state: 'failed', blocked: true }, { allowBlocked: true }, 1],
  [{ state: 'skipped' }, {}, 5],
  [{ state: 'not_run' }, { allowBlocked: true }, 5],
  [{ state: 'skipped' }, { allowSkipped: true }, 0],
  [{ state: 'not_run' }, { allowSkipped: true }, 0],
  [{ state: 'failed' }, { allowSkipped: true, allowBlocked: true }, 1],
])('build %j under %j exits with %i', (build, options, code) => {
  expect(buildExit(build, options)).toBe(code);
});

test.each<[string, number | undefined]>([
  ['passed', 0],
  ['unblocked', 0],
  ['failed', 1],
  ['timed_out', 1],
  ['expired', 1],
  ['canceled', 3],
  ['blocked', 4],
  ['skipped', 5],
  ['broken', 5],
  ['waiting_failed', 5],
  ['blocked_failed', 5],
  ['unblocked_failed', 5],
  ['running', undefined],
  ['canceling', undefined],
  ['timing_out', undefined],
  ['waiting', undefined],
  ['pondering', undefined],
])('job %s exits with %s', (state, code) => {
  expect(jobExit({ state })).toBe(code);
});

test.each([
  [{ state: 'failed', soft_failed: true }, 0],
  [{ state: 'timed_out', soft_failed: true }, 0],
  [{ state: 'canceled', soft_failed: true }, 3],
])('soft failure %j exits with %i', (job, code) => {
  expect(jobExit(job)).toBe(code);
});

test('the largest of several exit codes wins', () => {
  expect(worst([])).toBe(0);
  expect(worst([0, 5, 1])).toBe(5);
});

test.each([
  [{ state: 'failed' }, true],
  [{ state: 'timed_out' }, true],
  [{ state: 'failed', soft_failed: true }, false],
  [{ state: 'canceled' }, false],
  [{ state: 'running' }, false],
])('%j has failed: %s', (job, expected) => {
  expect(isFailedJob(job)).toBe(expected);
});
