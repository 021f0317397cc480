import { expect, test } from 'vitest';
import { cancelBuild, skipBuild } from './build-lifecycle.ts';
import { retryJob } from './retry.ts';
import {
  build,
  end,
  finish,
  expectRefusal,
  expectStates,
  outcome,
  start,
} from '../../../test/support/units/scenario.ts';
import { unblockJob } from './unblock.ts';
import { recover } from './job-lifecycle.ts';

const newId = (): string => 'job-9';

/** `2` finishes job 2 with exit status 0, `2=1` with 1, `2^` starts it. */
const applyEvents = (words: string, events: string) =>
  events
    .split(' ')
    .filter((move) => move !== '')
    .reduce((tree, move) => {
      const [number, status] = move.split('=');
      if (move.endsWith('^')) return start(tree, Number(move.slice(0, -1)));
      return end(tree, Number(number), Number(status ?? 0));
    }, build(words));

test.each([
  ['a b', '', 'scheduled: scheduled scheduled'],
  ['a b', '1^', 'running: running scheduled'],
  ['a b', '1', 'running: passed scheduled'],
  ['a b', '1 2', 'passed: passed passed'],
  ['a b', '1=1', 'failing: failed scheduled'],
  ['a b', '1=1 2', 'failed: failed passed'],
  ['a wait b', '', 'scheduled: scheduled waiting waiting'],
  ['a wait b', '1', 'running: passed passed scheduled'],
  ['a wait b', '1=1', 'failed: failed waiting_failed waiting_failed'],
  ['a b wait c', '1=1', 'failing: failed scheduled waiting_failed waiting_failed'],
  ['a? wait b', '1=1', 'running: failed passed scheduled'],
  ['a? wait b', '1=1 3', 'passed: failed passed passed'],
  ['a?3 wait b', '1=3', 'running: failed passed scheduled'],
  ['a?3 wait b', '1=4', 'failed: failed waiting_failed waiting_failed'],
  ['a wait! b', '1=1', 'failing: failed passed scheduled'],
  ['a wait! b', '1=1 3', 'failed: failed passed passed'],
  ['a b wait! c', '1=1', 'failing: failed scheduled waiting waiting'],
  [
    'a wait b wait! c',
    '1=1',
    'failed: failed waiting_failed waiting_failed waiting_failed waiting_failed',
  ],
  ['a wait! b wait c', '1=1', 'failing: failed passed scheduled waiting_failed waiting_failed'],
  ['a wait! b wait c', '1=1 3', 'failed: failed passed passed waiting_failed waiting_failed'],
  ['a wait! b wait! c', '1=1 3=1', 'failing: failed passed failed passed scheduled'],
  [
    'a wait! b wait! c wait d',
    '1=1 3 5',
    'failed: failed passed passed passed passed waiting_failed waiting_failed',
  ],
  ['a wait! b block c', '1=1 3', 'failed+blocked: failed passed passed blocked waiting'],
  ['a wait! block c', '1=1', 'failed+blocked: failed passed blocked waiting'],
  ['a wait! b block c', '1=1 3=1', 'failed: failed passed failed blocked_failed waiting_failed'],
  [
    'a wait b wait! block c',
    '1=1',
    'failed: failed waiting_failed waiting_failed waiting_failed blocked_failed waiting_failed',
  ],
  ['a wait! b wait c', '1 3', 'running: passed passed passed passed scheduled'],
  ['a? wait! b wait c', '1=1 3', 'running: failed passed passed passed scheduled'],
  ['a:A b:B c<A', '1', 'running: passed scheduled scheduled'],
  ['a:A b c<A', '1=1', 'failing: failed scheduled waiting_failed'],
  ['a:A b c<A!', '1=1', 'failing: failed scheduled scheduled'],
  [
    'a:A b<A c<A! wait d',
    '1=1 3',
    'failed: failed waiting_failed passed waiting_failed waiting_failed',
  ],
  ['a:A wait b< c<A', '', 'scheduled: scheduled waiting scheduled waiting'],
  ['a/G b/G c<G', '1', 'running: passed scheduled waiting'],
  ['a/G b/G c<G', '1 2', 'running: passed passed scheduled'],
  ['a:A~ b<A', '', 'scheduled: broken scheduled'],
  ['a wait~ b', '1=1', 'failing: failed broken scheduled'],
  ['a input b', '', 'scheduled: scheduled blocked scheduled'],
  ['a input b', '1 3', 'passed+blocked: passed blocked passed'],
  ['a input wait b', '1', 'passed+blocked: passed blocked waiting waiting'],
  ['wait a', '', 'scheduled: passed scheduled'],
  ['wait', '', 'passed: passed'],
  ['a block b', '1', 'passed+blocked: passed blocked waiting'],
  ['a block:failed b', '1', 'failed+blocked: passed blocked waiting'],
  ['a block:running b', '1', 'running+blocked: passed blocked waiting'],
  ['a block b', '1=1', 'failed: failed blocked_failed waiting_failed'],
  ['block a', '', 'passed+blocked: blocked waiting'],
  ['a block b wait c', '1', 'passed+blocked: passed blocked waiting waiting waiting'],
])('%s after %s', (words, events, expected) => {
  expectStates(applyEvents(words, events), expected);
});

test('finished_at is the end of the last job, and is set again when the build blocks', () => {
  const done = end(build('a block b'), 1, 0, 3000);
  expect(done.build).toMatchObject({ startedAt: 2000, finishedAt: 3000, blockedState: 'passed' });
  expect(end(build('a block:running b'), 1, 0, 3000).build).toMatchObject({
    ...{ state: 'running', blocked: true, blockedState: 'running', finishedAt: 3000 },
  });
  const going = unblockJob(done, 'job-2', { userId: 'u', fields: {} }, 4000);
  expectStates(going, 'running: passed unblocked scheduled');
  expect(going.build).toMatchObject({ finishedAt: null, blockedState: '' });
  expect(going.jobs[1]).toMatchObject({ unblockedById: 'u', unblockedAt: 4000 });
  expect(end(going, 3, 0, 5000).build).toMatchObject({ state: 'passed', finishedAt: 5000 });
});

test.each([
  ['a b', '', 'canceled: canceled canceled'],
  ['a b', '1^', 'canceling: canceling canceled'],
  ['a b', '1=1 2^', 'canceling: failed canceling'],
  ['a block b', '1', 'canceled: passed canceled canceled'],
  ['a wait b', '1^', 'canceling: canceling canceled canceled'],
])('%s canceled after %s', (words, events, expected) => {
  expectStates(cancelBuild(applyEvents(words, events), null, 4000), expected);
});

test('a canceling build is canceled once its last process exits, whatever the exit status', () => {
  const canceling = cancelBuild(start(start(build('a b'), 1), 2), 'because', 4000);
  const one = finish(canceling, 'job-1', outcome(), 5000);
  expectStates(one, 'canceling: canceled canceling');
  const both = finish(one, 'job-2', outcome({ exitStatus: -1, signal: 'SIGKILL' }), 6000);
  expectStates(both, 'canceled: canceled canceled');
  expect(both.build).toMatchObject({ finishedAt: 6000, cancelReason: 'because' });
});

test.each([
  ['a', '1', 'already passed'],
  ['a', '1=1', 'already failed'],
])('%s after %s cannot be canceled', (words, events, reason) => {
  const text = `Build can't be canceled because it is ${reason}`;
  expectRefusal(() => cancelBuild(applyEvents(words, events), null, 4000), 'invalid', text);
});

test('rejects a second cancel', () => {
  const canceling = cancelBuild(start(build('a'), 1), null, 4000);
  expect(() => cancelBuild(canceling, null, 5000)).toThrow('it is already being canceled');
});

test('a skipped build has skipped jobs', () => {
  const skipped = skipBuild(build('a wait b'), 'newer', 4000);
  expectStates(skipped, 'skipped: skipped skipped skipped');
});

test('a retry replaces the failed job, and dependent jobs wait again', () => {
  const retried = retryJob(applyEvents('a b wait c', '1=1 2'), 'job-1', 4000, () => 'job-9');
  expectStates(retried, 'running: failed scheduled passed waiting waiting');
  expect(retried.build.finishedAt).toBeNull();
  expect(retried.jobs[1]).toMatchObject({ id: 'job-9', createdAt: 4000, scheduledAt: 1000 });
  expectStates(end(retried, 9), 'running: failed passed passed passed scheduled');
  expectStates(end(retried, 9, 1), 'failed: failed failed passed waiting_failed waiting_failed');
});

test('another failure keeps the build failing during a retry', () => {
  const retried = retryJob(applyEvents('a b', '1=1 2=1'), 'job-1', 4000, () => 'job-9');
  expectStates(retried, 'failing: failed scheduled failed');
});

test.each([
  [
    'a wait! b wait c block d',
    '1=1 3',
    'running: failed scheduled passed passed waiting waiting waiting waiting',
  ],
  [
    'a:A b<A c<A! d wait e',
    '1=1 3 4',
    'running: failed scheduled waiting passed passed waiting waiting',
  ],
])('a retry in %s after %s revives every job that gave up', (words, events, expected) => {
  const retried = retryJob(applyEvents(words, events), 'job-1', 4000, () => 'job-9');
  expectStates(retried, expected);
});

test('a timeout is a hard failure unless all failures are soft', () => {
  const late = outcome({ exitStatus: -1, timedOut: true });
  expectStates(finish(start(build('a'), 1), 'job-1', late, 3000), 'failed: timed_out');
  expectStates(finish(start(build('a?'), 1), 'job-1', late, 3000), 'passed: timed_out');
});

test('lost jobs fail when the service restarts', () => {
  const lost = recover(start(build('a b wait c'), 1), 9000, newId);
  expectStates(lost, 'failing: failed scheduled waiting_failed waiting_failed');
  expect(lost.jobs[0]).toMatchObject({ exitStatus: -1, signalReason: 'agent_stop' });
  const canceling = cancelBuild(start(build('a'), 1), null, 4000);
  expectStates(recover(canceling, 9000, newId), 'canceled: canceled');
});

test('a job finishes once', () => {
  const done = end(build('a b'), 1);
  expect(finish(done, 'job-1', outcome({ exitStatus: 1 }), 9000)).toBe(done);
});
