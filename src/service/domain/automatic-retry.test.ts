import { expect, test } from 'vitest';
import type { AutomaticRetry, CommandStep, RetryRules } from '../pipeline/plan.ts';
import type { Outcome } from '../runner-port.ts';
import { cancelBuild } from './cancel.ts';
import { recover } from './job-lifecycle.ts';
import type { Tree } from './records.ts';
import { retryJob } from './retry.ts';
import {
  buildOf,
  countingIds,
  end,
  expectRefusal,
  expectStates,
  finish,
  jobOf,
  outcome,
  plan,
  start,
} from './scenario.ts';

const rule = (given: Partial<AutomaticRetry>): AutomaticRetry => ({
  ...{ exitStatus: '*', signal: null, signalReason: null, limit: 1, ...given },
});

const anyManual = { allowed: true, permitOnPassed: false, reason: null };

/** A build of these words whose commands have these members. */
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

test('a job that a rule retries runs again at once, and what depends on it waits on', () => {
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

test('a rule retries as often as its limit says, and by hand it goes on', () => {
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

test('each rule has a limit of its own, and the first that fits counts', () => {
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

test('jobs of one step have their retries each', () => {
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
])('%j retries what ended with %j: %s', (given, ended, expected) => {
  expect(fail(retrying('a', rule(given)), 1, ended).jobs).toHaveLength(expected ? 2 : 1);
});

test('what is canceled is not retried, what is lost is', () => {
  const running = start(retrying('a', rule({})), 1);
  const canceling = cancelBuild(running, null, 4000);
  expectStates(finish(canceling, 'job-1', outcome({ exitStatus: 1 }), 5000), 'canceled: canceled');
  expectStates(recover(running, 9000, countingIds('new')), 'running: failed scheduled');
});

test('a soft failure is retried too, and forgiven in the end', () => {
  const once = fail(
    buildWith('a b', { softFail: true, retry: { automatic: [rule({})], manual: anyManual } }),
    1,
  );
  expectStates(once, 'running: failed scheduled scheduled');
  expect(jobOf(fail(once, '1a'), 'job-1a')).toMatchObject({ state: 'failed', softFailed: true });
});

test('-1 and 255 forgive a death by signal alike', () => {
  for (const status of [-1, 255]) {
    const tree = fail(buildWith('a', { softFail: [status] }), 1, killed);
    expect(jobOf(tree, 'job-1')).toMatchObject({ softFailed: true, exitStatus: -1 });
  }
  const exited = fail(buildWith('a', { softFail: [-1] }), 1, { exitStatus: 255 });
  expect(jobOf(exited, 'job-1')?.softFailed).toBe(false);
});

const manual = (given: Partial<RetryRules['manual']>, words = 'a'): Tree =>
  buildWith(words, { retry: { automatic: [], manual: { ...anyManual, ...given } } });

test('a step that allows no retries by hand says why', () => {
  const retry = (tree: Tree) => retryJob(fail(tree, 1), 'job-1', 4000, () => 'job-9');
  const plainText = 'The step of this job allows no manual retries';
  expectRefusal(() => retry(manual({ allowed: false })), 'invalid', plainText);
  const reason = 'Deploys run once';
  expectRefusal(() => retry(manual({ allowed: false, reason })), 'invalid', reason);
});

test('what has passed runs again where its step permits it, and gates wait for it', () => {
  const passed = end(manual({ permitOnPassed: true }, 'a wait b wait c'), 1);
  const again = retryJob(passed, 'job-1', 4000, () => 'job-9');
  expectStates(again, 'running: passed scheduled passed scheduled waiting waiting');
  const both = fail(end(again, 3), 9);
  expectStates(both, 'failed: passed failed passed passed waiting_failed waiting_failed');
});
