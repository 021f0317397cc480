import { expect, test, describe } from 'vitest';
import { cancelBuild } from './build-lifecycle.ts';
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
  buildOf,
  countingIds,
  plan,
} from '../../../test/support/units/scenario.ts';
import type { AutomaticRetry, CommandStep, RetryRules } from '../pipeline/plan.ts';
import type { Outcome } from '../runner-port.ts';
import { recover } from './job-lifecycle.ts';

describe('retry', () => {
  const retry = (tree: Tree, id: string, newId = 'job-9'): Tree =>
    retryJob(tree, id, 4000, () => newId);

  const killed = outcome({ exitStatus: -1, signal: 'SIGKILL', signalReason: 'agent_stop' });

  test.each(['failed', 'timed_out', 'canceled'] as const)('retries a %s job', (state) => {
    const ended = withJob(end(build('a wait b'), 1, 1), 'job-1', { state });
    expectStates(retry(ended, 'job-1'), `running: ${state} scheduled waiting waiting`);
  });

  test('the new job starts fresh and names the job it replaces', () => {
    const old = finish(start(build('a?'), 1), 'job-1', killed, 3000);
    expect(jobOf(retry(old, 'job-1'), 'job-9')).toMatchObject({
      ...{ type: 'script', step: 0, stepId: jobOf(old, 'job-1')?.stepId, state: 'scheduled' },
      ...{ exitStatus: null, signal: null, signalReason: null, softFailed: false, agent: null },
      ...{
        createdAt: 4000,
        scheduledAt: 1000,
        runnableAt: 4000,
        startedAt: null,
        finishedAt: null,
      },
      ...{ retriedInJobId: null, retriesCount: 1, retryType: null },
      retrySource: { jobId: 'job-1', type: 'manual' },
    });
  });

  test('the old job keeps its result and names its replacement', () => {
    const old = finish(start(build('a?'), 1), 'job-1', killed, 3000);
    expect(jobOf(retry(old, 'job-1'), 'job-1')).toEqual({
      ...jobOf(old, 'job-1'),
      retriedInJobId: 'job-9',
      retryType: 'manual',
    });
  });

  test('retries the named job and counts each retry', () => {
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
  ])('cannot retry %s', (_, tree, id) => {
    const text = 'Only failed, timed out or canceled jobs can be retried';
    expectRefusal(() => retry(tree, id), 'wrong', text);
  });

  test('a job can be retried once', () => {
    const retried = retry(end(build('a'), 1, 1), 'job-1');
    expectRefusal(() => retry(retried, 'job-1'), 'invalid', 'Jobs can only be retried once');
  });

  test('a canceled or canceling build allows no retries', () => {
    const canceling = cancelBuild(start(end(build('a b'), 1, 1), 2), null, 4000);
    const canceled = finish(canceling, 'job-2', outcome(), 5000);
    expectStates(canceled, 'canceled: failed canceled');
    for (const tree of [canceling, canceled]) {
      const text = 'Jobs from canceled builds cannot be retried';
      expectRefusal(() => retry(tree, 'job-1'), 'invalid', text);
    }
  });

  test('reports in advance whether a retry would be rejected', () => {
    const failed = end(end(build('a b'), 1, 1), 2);
    const refusalOf = (tree: Tree, id: string): string | undefined => {
      const job = jobOf(tree, id);
      return job && retryRefusal(tree, job)?.[1];
    };
    expect(refusalOf(failed, 'job-1')).toBeUndefined();
    expect(refusalOf(failed, 'job-2')).toMatch('Only failed');
    expect(refusalOf(retry(failed, 'job-1'), 'job-1')).toBe('Jobs can only be retried once');
  });
});

describe('automatic retry', () => {
  const rule = (given: Partial<AutomaticRetry>): AutomaticRetry => ({
    ...{ exitStatus: '*', signal: null, signalReason: null, limit: 1, ...given },
  });

  const anyManual = { allowed: true, permitOnPassed: false, reason: null };

  /** A build in short notation whose command steps have these fields. */
  function buildWith(words: string, members: Partial<CommandStep>): Tree {
    const { steps, ...rest } = plan(words);
    const changed = steps.map((step) => (step.type === 'command' ? { ...step, ...members } : step));
    return buildOf({ ...rest, steps: changed });
  }

  const retrying = (words: string, ...automatic: AutomaticRetry[]): Tree =>
    buildWith(words, { retry: { automatic, manual: anyManual } });

  const fail = (
    tree: Tree,
    number: number | string,
    given: Partial<Outcome> = { exitStatus: 1 },
  ): Tree => finish(start(tree, number), `job-${number}`, outcome(given), 3000);

  test('an automatic retry starts at once, and dependent jobs keep waiting', () => {
    const again = fail(retrying('a wait b', rule({})), 1);
    expectStates(again, 'running: failed scheduled waiting waiting');
    expect(jobOf(again, 'job-1')).toMatchObject({
      ...{ retriedInJobId: 'job-1a', retryType: 'automatic', finishedAt: 3000, exitStatus: 1 },
    });
    expect(jobOf(again, 'job-1a')).toMatchObject({
      ...{ retriesCount: 1, retryType: null, createdAt: 3000, scheduledAt: 1000, runnableAt: 3000 },
      retrySource: { jobId: 'job-1', type: 'automatic' },
    });
    expectStates(end(again, '1a'), 'running: failed passed passed scheduled');
  });

  test('a rule retries up to its limit; manual retries are still possible', () => {
    const twice = fail(fail(retrying('a wait b', rule({ limit: 2 })), 1), '1a');
    expectStates(twice, 'running: failed failed scheduled waiting waiting');
    const failed = fail(twice, '1aa');
    expectStates(failed, 'failed: failed failed failed waiting_failed waiting_failed');
    const byHand = retryJob(failed, 'job-1aa', 4000, () => 'job-9');
    expectStates(byHand, 'running: failed failed failed scheduled waiting waiting');
    expectStates(
      fail(byHand, 9),
      'failed: failed failed failed failed waiting_failed waiting_failed',
    );
  });

  test('each rule has its own limit, and the first matching one applies', () => {
    const tree = retrying(
      'a',
      rule({ exitStatus: [3], limit: 0 }),
      rule({ exitStatus: [1] }),
      rule({}),
    );
    expectStates(fail(tree, 1, { exitStatus: 3 }), 'failed: failed');
    const one = fail(tree, 1);
    const two = fail(one, '1a', { exitStatus: 2 });
    expectStates(two, 'running: failed failed scheduled');
    expectStates(fail(two, '1aa'), 'failed: failed failed failed');
  });

  test('counts retries separately for jobs of the same step', () => {
    const one = fail(retrying('a:A a:A b<A', rule({})), 1);
    expectStates(fail(one, 2), 'running: failed scheduled failed scheduled waiting');
  });

  const killed = { exitStatus: -1, signal: 'SIGKILL' };
  const timedOut = { ...killed, signalReason: 'cancel', timedOut: true } as const;
  const stopped = { exitStatus: -1, signalReason: 'agent_stop' } as const;

  test.each<[Partial<AutomaticRetry>, Partial<Outcome>, boolean]>([
    [{ exitStatus: [1] }, { exitStatus: 2 }, false],
    [{ exitStatus: [1, 2] }, { exitStatus: 2 }, true],
    [{ exitStatus: [255] }, killed, true],
    [{ exitStatus: [-1] }, killed, true],
    [{ exitStatus: [-1] }, { exitStatus: 255 }, false],
    [{ signal: 'kill' }, killed, true],
    [{ signal: 'SIGKILL' }, killed, true],
    [{ signal: 'term' }, killed, false],
    [{ signal: 'kill' }, { exitStatus: 1 }, false],
    [{ signal: '*', signalReason: '*' }, { exitStatus: 1 }, true],
    [{ signal: 'none' }, { exitStatus: 1 }, true],
    [{ signal: 'none' }, killed, false],
    [{ signalReason: 'none' }, killed, true],
    [{ signalReason: 'none' }, stopped, false],
    [{ signalReason: 'agent_stop' }, stopped, true],
    [{ signalReason: 'process_run_error' }, stopped, false],
    [{ exitStatus: [-1], signalReason: 'agent_stop' }, stopped, true],
    [{ signal: ['term', 'SIGKILL'] }, killed, true],
    [{ signal: ['term', 'none'] }, killed, false],
    [{ signal: ['term', 'none'] }, { exitStatus: 1 }, true],
    [{ signalReason: ['cancel', 'agent_stop'] }, stopped, true],
    [{ signalReason: ['cancel', 'process_run_error'] }, stopped, false],
    [{ signalReason: ['cancel', '*'] }, stopped, true],
    [{}, timedOut, true],
    [{ exitStatus: [-1] }, timedOut, true],
    [{ signalReason: 'cancel' }, timedOut, true],
    [{ signalReason: 'none' }, timedOut, false],
    [{}, { exitStatus: 0 }, false],
    [{}, { exitStatus: -1, signalReason: 'cancel' }, false],
  ])('rule %j, outcome %j: retried %s', (given, ended, expected) => {
    expect(fail(retrying('a', rule(given)), 1, ended).jobs).toHaveLength(expected ? 2 : 1);
  });

  test('retries lost jobs but not canceled ones', () => {
    const running = start(retrying('a', rule({})), 1);
    const canceling = cancelBuild(running, null, 4000);
    expectStates(
      finish(canceling, 'job-1', outcome({ exitStatus: 1 }), 5000),
      'canceled: canceled',
    );
    expectStates(recover(running, 9000, countingIds('new')), 'running: failed scheduled');
  });

  test('a soft failure is retried too, and tolerated in the end', () => {
    const once = fail(
      buildWith('a b', { softFail: true, retry: { automatic: [rule({})], manual: anyManual } }),
      1,
    );
    expectStates(once, 'running: failed scheduled scheduled');
    expect(jobOf(fail(once, '1a'), 'job-1a')).toMatchObject({ state: 'failed', softFailed: true });
  });

  test('-1 and 255 both match a process killed by a signal', () => {
    for (const status of [-1, 255]) {
      const tree = fail(buildWith('a', { softFail: [status] }), 1, killed);
      expect(jobOf(tree, 'job-1')).toMatchObject({ softFailed: true, exitStatus: -1 });
    }
    const exited = fail(buildWith('a', { softFail: [-1] }), 1, { exitStatus: 255 });
    expect(jobOf(exited, 'job-1')?.softFailed).toBe(false);
  });

  const manual = (given: Partial<RetryRules['manual']>, words = 'a'): Tree =>
    buildWith(words, { retry: { automatic: [], manual: { ...anyManual, ...given } } });

  test('a step that disallows manual retries gives its reason', () => {
    const retry = (tree: Tree) => retryJob(fail(tree, 1), 'job-1', 4000, () => 'job-9');
    const plainText = 'This step does not allow manual retries';
    expectRefusal(() => retry(manual({ allowed: false })), 'invalid', plainText);
    const reason = 'Deploys run once';
    expectRefusal(() => retry(manual({ allowed: false, reason })), 'invalid', reason);
  });

  test('a passed job can be retried if its step permits it, and gates wait for it', () => {
    const passed = end(manual({ permitOnPassed: true }, 'a wait b wait c'), 1);
    const again = retryJob(passed, 'job-1', 4000, () => 'job-9');
    expectStates(again, 'running: passed scheduled passed scheduled waiting waiting');
    const both = fail(end(again, 3), 9);
    expectStates(both, 'failed: passed failed passed passed waiting_failed waiting_failed');
  });
});
