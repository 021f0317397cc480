import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finishJob, startJob } from './job-lifecycle.ts';
import { jobChanges } from './job-list.ts';
import type { Tree } from './records.ts';
import { retryJob } from './retry.ts';
import {
  agent,
  build,
  countingIds,
  end,
  expectStates,
  outcome,
  start,
} from '../../../test/support/units/scenario.ts';
import { scheduleOf } from './schedule.ts';
import { settle } from './settle.ts';
import { sampled, some } from '../../../test/support/full.ts';

const changed = (before: Tree, after: Tree): string[] =>
  jobChanges(before, after).changed.map(
    (change) => `${change.after.id} ${change.before?.state ?? 'new'} ${change.after.state}`,
  );

test('a tree keeps its jobs unchanged after later updates', () => {
  const first = build('a b wait c');
  const second = start(first, 1);
  const third = end(second, 1, 1);
  const other = end(second, 1);
  const fourth = end(third, 2);
  expectStates(fourth, 'failed: failed passed waiting_failed waiting_failed');
  expectStates(third, 'failing: failed scheduled waiting_failed waiting_failed');
  expectStates(other, 'running: passed scheduled waiting waiting');
  expectStates(second, 'running: running scheduled waiting waiting');
  expectStates(first, 'scheduled: scheduled scheduled waiting waiting');
  expect(second.jobs).toBe(second.jobs);
  expectStates(end(other, 2), 'running: passed passed passed scheduled');
});

test('finds changed jobs without comparing the others', () => {
  const first = build('a wait b');
  const second = start(first, 1);
  const third = end(second, 1);
  const expected = ['job-1 running passed', 'job-2 waiting passed', 'job-3 waiting scheduled'];
  expect(changed(second, third)).toEqual(expected);
  expect(changed(first, third)).toEqual(
    expected.map((line) => line.replace('running', 'scheduled')),
  );
  expect(changed(third, settle(third, 9))).toEqual([]);
  const failed = end(third, 3, 1);
  const retried = retryJob(failed, 'job-3', 4000, () => 'job-9');
  expect(changed(failed, retried)).toEqual(['job-3 failed failed', 'job-9 new scheduled']);
  const { removed } = jobChanges(retried, failed);
  expect(removed.map(({ id }) => id)).toEqual(['job-9']);
});

type Transition = (tree: Tree) => Tree;

/** The next possible transition of a build, chosen by a number. */
function nextOf(tree: Tree, choice: number, newId: () => string): Transition | undefined {
  const open = tree.jobs.filter(
    ({ state, retriedInJobId }) =>
      /^(scheduled|running|failed)$/.test(state) && retriedInJobId === null,
  );
  const job = open[choice % Math.max(open.length, 1)];
  if (job === undefined) return undefined;
  const id = newId();
  if (job.state === 'scheduled') return (before) => startJob(before, job.id, agent, 2);
  if (job.state === 'failed') return (before) => retryJob(before, job.id, 4, () => id);
  return (before) => finishJob(before, job.id, outcome({ exitStatus: choice % 2 }), 3, () => id);
}

test('trees read late, in any order, have the jobs of their version', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c?', 'wait', 'wait!'), { minLength: 1 });
  const choices = fc.array(fc.nat(1000), { maxLength: 30 });
  fc.assert(
    fc.property(words, choices, fc.boolean(), (steps, drawn, isReversed) => {
      const newId = countingIds('new');
      const read = [build(steps.join(' '))];
      const unread = [build(steps.join(' '))];
      for (const choice of drawn) {
        const transition = nextOf(read.at(-1) ?? build('a'), choice, newId);
        if (transition === undefined) break;
        for (const trees of [read, unread]) trees.push(transition(trees.at(-1) ?? build('a')));
      }
      const indexes = [...read.keys()];
      for (const index of isReversed ? indexes.reverse() : indexes) {
        expect(unread[index]?.jobs).toEqual(read[index]?.jobs);
      }
    }),
    { numRuns: some(1000), seed: 20_261_122 },
  );
});

/** How many steps and sets of steps are touched per job, from the first to the last. */
function touched(words: string): number {
  let tree = build(words);
  const { length } = tree.jobs;
  for (let number = 1; number <= length; number++) {
    if (tree.plan.steps[number - 1]?.type === 'wait') continue;
    tree = end(tree, number);
  }
  expect(tree.build.state).toBe('passed');
  return scheduleOf(tree).touched / length;
}

const flat = (count: number): string => Array.from({ length: count }, () => 'a').join(' ');

sampled.each([
  ['flat', flat],
  ['with waits', (count: number) => flat(count).replaceAll('a a a a a', 'a a a a a wait')],
  ['with a key that all need', (count: number) => `a:K ${flat(count).replaceAll('a', 'b<K')}`],
  ['that all fan in', (count: number) => `${flat(count).replaceAll('a', 'a:K')} b<K`],
  [
    'of two keys of many jobs',
    (count: number) =>
      `${flat(count / 2).replaceAll('a', 'a:K')} ${flat(count / 2).replaceAll('a', 'b<K')}`,
  ],
])('a build %s of thousands of jobs takes as much work a job as one of a hundred', (_, words) => {
  expect(touched(words(3000))).toBeLessThan(touched(words(100)) * 1.05 + 0.1);
});
