import { expect, test } from 'vitest';
import { cancelBuild } from './cancel.ts';
import { recover, startJob } from './job-lifecycle.ts';
import { build, end, finish, expectStates, jobOf, outcome, start } from './scenario.ts';

const newId = (): string => 'job-9';

const other = { id: 'other', name: 'local-2', createdAt: 0 };

test('a job that starts has its agent and its time, and its build started with the first', () => {
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
])('no agent takes a job %s', (_, tree, id) => {
  const after = startJob(tree, id, other, 9000);
  expect(after.jobs).toEqual(tree.jobs);
  expect(after.build.state).toBe(tree.build.state);
});

test('a job keeps how its process ended', () => {
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
])('%s that exits with %i has %s, softly: %s', (words, exitStatus, state, softFailed) => {
  expect(jobOf(end(build(words), 1, exitStatus), 'job-1')).toMatchObject({ state, softFailed });
});

test('a job that is canceled has not failed, softly or otherwise', () => {
  const canceling = cancelBuild(start(build('a?'), 1), null, 4000);
  const ended = finish(canceling, 'job-1', outcome({ exitStatus: 1 }), 5000);
  expect(jobOf(ended, 'job-1')).toMatchObject({ state: 'canceled', softFailed: false });
});

test.each([
  ['is not there', 'job-7'],
  ['has not started', 'job-1'],
])('the end of a job that %s changes nothing', (_, id) => {
  const tree = build('a');
  expect(finish(tree, id, outcome(), 9000)).toBe(tree);
});

test('a service that comes back leaves alone what had not started or had ended', () => {
  const tree = end(build('a b wait c'), 1);
  expect(recover(tree, 9000, newId)).toBe(tree);
  const lost = recover(start(tree, 2), 9000, newId);
  expectStates(lost, 'failed: passed failed waiting_failed waiting_failed');
  expect(jobOf(lost, 'job-2')).toMatchObject({ signal: null, softFailed: false, finishedAt: 9000 });
});
