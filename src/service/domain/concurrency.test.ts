import { expect, test } from 'vitest';
import { cancelBuild } from './cancel.ts';
import { admitJob } from './concurrency.ts';
import type { Tree } from './records.ts';
import { buildOf, end, expectStates, jobOf, plan, start } from './scenario.ts';

/** A build whose commands have a group with this limit. */
function limited(words: string): Tree {
  const { steps, ...rest } = plan(words);
  const concurrency = { group: 'g', limit: 1, method: 'ordered' } as const;
  return buildOf({
    ...rest,
    steps: steps.map((step) => (step.type === 'command' ? { ...step, concurrency } : step)),
  });
}

test('a job of a group is limited until it has a place', () => {
  const tree = limited('a wait b');
  expectStates(tree, 'scheduled: limited waiting waiting');
  expect(jobOf(tree, 'job-1')?.runnableAt).toBeNull();
  const admitted = admitJob(tree, 'job-1', 2000);
  expectStates(admitted, 'scheduled: scheduled waiting waiting');
  expect(jobOf(admitted, 'job-1')?.runnableAt).toBe(2000);
  expectStates(end(admitted, 1), 'running: passed passed limited');
});

test('a place is for who is limited alone', () => {
  const running = start(admitJob(limited('a'), 'job-1', 2000), 1);
  expect(admitJob(running, 'job-1', 2000)).toBe(running);
  const canceled = cancelBuild(limited('a'), null, 2000);
  expect(admitJob(canceled, 'job-1', 2000)).toBe(canceled);
});
