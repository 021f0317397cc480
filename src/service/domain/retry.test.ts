import { expect, test } from 'vitest';
import { cancelBuild } from './cancel.ts';
import type { Tree } from './records.ts';
import { retryJob, retryRefusal } from './retry.ts';
import {
  build,
  end,
  finish,
  expectRefusal,
  expectStates,
  jobOf,
  outcome,
  start,
  withJob,
} from './scenario.ts';

const retry = (tree: Tree, id: string, newId = 'job-9'): Tree =>
  retryJob(tree, id, 4000, () => newId);

const killed = outcome({ exitStatus: -1, signal: 'SIGKILL', signalReason: 'agent_stop' });

test.each(['failed', 'timed_out', 'canceled'] as const)('a %s job runs again', (state) => {
  const ended = withJob(end(build('a wait b'), 1, 1), 'job-1', { state });
  expectStates(retry(ended, 'job-1'), `running: ${state} scheduled waiting waiting`);
});

test('the new job starts from the beginning, and says whose place it takes', () => {
  const old = finish(start(build('a?'), 1), 'job-1', killed, 3000);
  expect(jobOf(retry(old, 'job-1'), 'job-9')).toMatchObject({
    ...{ type: 'script', step: 0, stepId: jobOf(old, 'job-1')?.stepId, state: 'scheduled' },
    ...{ exitStatus: null, signal: null, signalReason: null, softFailed: false, agent: null },
    ...{ createdAt: 4000, scheduledAt: 1000, runnableAt: 4000, startedAt: null, finishedAt: null },
    ...{ retriedInJobId: null, retriesCount: 1, retryType: null },
    retrySource: { jobId: 'job-1', type: 'manual' },
  });
});

test('the old job stays as it ended, and says what took its place', () => {
  const old = finish(start(build('a?'), 1), 'job-1', killed, 3000);
  expect(jobOf(retry(old, 'job-1'), 'job-1')).toEqual({
    ...jobOf(old, 'job-1'),
    retriedInJobId: 'job-9',
    retryType: 'manual',
  });
});

test('the job that is named is retried, and each retry counts', () => {
  const failed = end(end(build('a b'), 1, 1), 2, 1);
  const once = retry(failed, 'job-2');
  expectStates(once, 'failing: failed failed scheduled');
  const twice = retry(end(once, 9, 1), 'job-9', 'job-10');
  expect(jobOf(twice, 'job-10')).toMatchObject({
    retriesCount: 2,
    retrySource: { jobId: 'job-9' },
  });
});

test.each([
  ['one that is not there', end(build('a'), 1, 1), 'job-7'],
  ['one that waits for an agent', build('a'), 'job-1'],
  ['one that runs', start(build('a'), 1), 'job-1'],
  ['one that passed', end(build('a'), 1), 'job-1'],
  ['one that never ran', end(build('a wait b'), 1, 1), 'job-3'],
  ['a gate', cancelBuild(build('block a'), null, 4000), 'job-1'],
])('%s cannot be retried', (_, tree, id) => {
  const text = 'Only failed, timed out or canceled jobs can be retried';
  expectRefusal(() => retry(tree, id), 'wrong', text);
});

test('a job is retried once', () => {
  const retried = retry(end(build('a'), 1, 1), 'job-1');
  expectRefusal(() => retry(retried, 'job-1'), 'invalid', 'Jobs can only be retried once');
});

test('a canceled build takes no retries, nor one that is being canceled', () => {
  const canceling = cancelBuild(start(end(build('a b'), 1, 1), 2), null, 4000);
  const canceled = finish(canceling, 'job-2', outcome(), 5000);
  expectStates(canceled, 'canceled: failed canceled');
  for (const tree of [canceling, canceled]) {
    const text = 'Jobs from canceled builds cannot be retried';
    expectRefusal(() => retry(tree, 'job-1'), 'invalid', text);
  }
});

test('what would refuse a retry can be asked for before', () => {
  const failed = end(end(build('a b'), 1, 1), 2);
  const refusalOf = (tree: Tree, id: string): string | undefined => {
    const job = jobOf(tree, id);
    return job && retryRefusal(tree, job)?.[1];
  };
  expect(refusalOf(failed, 'job-1')).toBeUndefined();
  expect(refusalOf(failed, 'job-2')).toMatch('Only failed');
  expect(refusalOf(retry(failed, 'job-1'), 'job-1')).toBe('Jobs can only be retried once');
});
