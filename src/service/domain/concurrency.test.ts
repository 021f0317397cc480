import { expect, test } from 'vitest';
import { cancelBuild } from './cancel.ts';
import { admit, admitJob } from './concurrency.ts';
import type { JobState, Tree } from './records.ts';
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

/** `A:limited B:waiting`: the build of each job, and its state; gives the numbers of those let in. */
function admitted(words: string, limit: number, method: 'ordered' | 'eager'): string {
  const jobs = words.split(' ').map((word, index) => {
    const [buildId = '', state = ''] = word.split(':');
    return { buildId, job: { id: String(index + 1), state: state as JobState } };
  });
  return admit(jobs, limit, method).join(' ');
}

test.each([
  ['A:limited B:limited C:limited', 1, 'ordered', '1'],
  ['A:limited B:limited C:limited', 2, 'ordered', '1 2'],
  ['A:running B:limited C:limited', 1, 'ordered', ''],
  ['A:running B:limited C:limited', 2, 'ordered', '2'],
  ['A:limited B:scheduled C:canceling', 2, 'ordered', ''],
  ['A:waiting B:limited', 1, 'ordered', ''],
  ['A:waiting B:limited', 1, 'eager', '2'],
  ['A:waiting B:limited C:limited', 2, 'ordered', '2'],
  ['A:waiting A:limited B:limited', 1, 'ordered', '2'],
  ['A:waiting A:limited', 1, 'ordered', '2'],
  ['A:waiting B:limited A:limited', 1, 'ordered', ''],
  ['A:limited B:waiting C:limited', 2, 'ordered', '1'],
  ['A:limited B:waiting C:limited', 2, 'eager', '1 3'],
  ['A:limited B:running C:limited', 2, 'eager', '1'],
] as const)('of %s with room for %i, %s: %s', (words, limit, method, expected) => {
  expect(admitted(words, limit, method)).toBe(expected);
});

test('each job has the limit of its own step', () => {
  const jobs = ['1', '2', '3'].map((id) => ({
    buildId: id,
    job: { id, state: 'limited' as const },
  }));
  const [one, two, three] = jobs;
  if (!one || !two || !three) throw new Error('there are three jobs');
  expect(admit([one, { ...two, limit: 1 }, three], 3, 'eager')).toEqual(['1', '3']);
});
