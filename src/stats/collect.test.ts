import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Build } from '../api/resources/build.ts';
import { finishedBuild, timeAt } from '../../test/support/finished-builds.ts';
import { fuzzed } from '../../test/support/fuzz.ts';
import { timelineOf } from '../pages/timeline.ts';
import { collectStats, stepOfJob } from './collect.ts';

/** The statistics of builds in the order of the API: newest first. */
function statsOf(...builds: Build[]) {
  const collector = collectStats((jobs, now) => timelineOf(jobs, now).jobs);
  builds.forEach((build) => collector.add(build));
  return collector.stats({ organization: 'acme', pipeline: 'web', branches: [] });
}

test('counts builds and steps', () => {
  const { builds, steps } = statsOf(
    finishedBuild(3, 'lint:passed:10 test:passed:80'),
    finishedBuild(2, 'lint:passed:20 test:failed:60'),
    finishedBuild(1, 'lint:passed:30 test:passed:70'),
  );
  expect(builds).toEqual({
    ...{ runs: 3, passed: 2, failed: 1, others: 0, pass_rate: 0.6667 },
    duration: { median: 91, p90: 99 },
    waited: { median: 1, p90: 1 },
    trend: [101, 81, 91],
    pass_trend: [1, 0, 1],
    ...{ from: timeAt(3600), to: timeAt(3 * 3600) },
  });
  expect(steps).toMatchObject([
    {
      ...{ pipeline: 'web', step_key: 'test', name: 'Run test', runs: 3, passed: 2, failed: 1 },
      ...{ duration: { median: 70, p90: 78 }, waited: { median: 1, p90: 1 }, trend: [70, 60, 80] },
      critical_share: 0.7717,
    },
    { step_key: 'lint', pass_rate: 1, duration: { median: 20, p90: 28 }, critical_share: 0.2283 },
  ]);
});

test('a canceled build counts only as canceled', () => {
  const { builds, steps } = statsOf(
    finishedBuild(2, 'test:canceled:500', { state: 'canceled' }),
    finishedBuild(1, 'test:passed:10'),
  );
  expect(builds).toMatchObject({ runs: 1, others: 1, pass_rate: 1, duration: { p90: 11 - 1 } });
  expect(steps).toMatchObject([{ runs: 1, duration: { p90: 10 } }]);
});

test('no builds have no rates', () => {
  expect(statsOf()).toMatchObject({
    builds: { runs: 0, pass_rate: null, duration: { median: null, p90: null }, trend: [] },
    steps: [],
    flaky: [],
  });
});

test('a block step is not counted, and a build ran until its last job finished', () => {
  const build = finishedBuild(1, 'test:passed:10', { blocked: true, finished_at: null });
  build.jobs?.push({ id: 'gate', type: 'manual', state: 'blocked', label: 'Release' });
  const { builds, steps } = statsOf(build);
  expect(builds).toMatchObject({ passed: 1, duration: { median: 10 } });
  expect(steps.map(({ name }) => name)).toEqual(['Run test']);
});

test.each([
  [['On node 20', 'On node 22', 'On node 24'], 'On node'],
  [['Test', 'Test'], 'Test'],
  [['20', '22'], 'on'],
])('matrix jobs %j belong to the step %s', (names, expected) => {
  const build = finishedBuild(1, names.map(() => 'on:passed').join(' '));
  build.jobs?.forEach((job, index) =>
    Object.assign(job, {
      name: names[index],
      matrix: { index },
      retried: false,
      retried_in_job_id: null,
    }),
  );
  expect(statsOf(build).steps).toMatchObject([{ name: expected, runs: names.length }]);
});

test('pipelines with the same slug in two organizations have separate steps', () => {
  const of = (id: string) => ({ pipeline: { id, slug: 'web' } });
  const { steps } = statsOf(
    finishedBuild(2, 'test:passed', of('one')),
    finishedBuild(1, 'test:failed', of('two')),
  );
  expect(steps.map(({ pipeline, runs }) => [pipeline, runs])).toEqual([
    ['web', 1],
    ['web', 1],
  ]);
});

test('a renamed step has its latest name', () => {
  const [newer, older] = [finishedBuild(2, 'test:passed'), finishedBuild(1, 'test:passed')];
  Object.assign(older.jobs?.[0] ?? {}, { name: 'Try it' });
  expect(statsOf(newer, older).steps).toMatchObject([{ name: 'Run test', runs: 2 }]);
});

test('matrix jobs are one step by key, those of two pipelines two', () => {
  const matrix = finishedBuild(2, 'test:passed other:passed');
  matrix.jobs?.forEach((job, index) =>
    Object.assign(job, { step_key: 'on', matrix: { node: index } }),
  );
  const { steps } = statsOf(matrix, finishedBuild(1, 'on:passed', { pipeline: { slug: 'api' } }));
  expect(steps.map(({ pipeline, name, runs }) => [pipeline, name, runs])).toEqual([
    ['web', 'Run', 2],
    ['api', 'Run on', 1],
  ]);
});

test('a step that passes on a retry is flaky, once however often it failed', () => {
  const { flaky, steps } = statsOf(finishedBuild(7, 'test:failed test:failed test:passed'));
  expect(flaky).toEqual([
    {
      ...{ pipeline: 'web', step_key: 'test', name: 'Run test', count: 1 },
      examples: [
        {
          ...{ by: 'retry', commit: '7'.padStart(40, '0') },
          failed: { number: 7, job_id: '7-1', web_url: 'http://ci.test/jobs/7-1' },
          passed: { number: 7, job_id: '7-2', web_url: 'http://ci.test/jobs/7-2' },
        },
      ],
    },
  ]);
  expect(steps).toMatchObject([{ runs: 3, failed: 2, retried: 2, flaky: 1 }]);
});

const commit = 'c'.repeat(40);

test('a later passed build of the same commit makes a step flaky', () => {
  const { flaky } = statsOf(
    finishedBuild(3, 'test:passed', { commit }),
    finishedBuild(2, 'test:failed', { commit }),
  );
  expect(flaky).toMatchObject([
    {
      count: 1,
      examples: [
        { by: 'commit', commit, failed: { number: 2 }, passed: { number: 3, job_id: null } },
      ],
    },
  ]);
});

test.each([
  [
    'passed first',
    [finishedBuild(3, 'test:failed', { commit }), finishedBuild(2, 'test:passed', { commit })],
  ],
  ['another commit', [finishedBuild(3, 'test:passed'), finishedBuild(2, 'test:failed')]],
  [
    'no commit that could be the same',
    [
      finishedBuild(3, 'test:passed', { commit: 'HEAD' }),
      finishedBuild(2, 'test:failed', { commit: 'HEAD' }),
    ],
  ],
  [
    'another step',
    [finishedBuild(3, 'test:passed', { commit }), finishedBuild(2, 'lint:failed', { commit })],
  ],
  ['still failed', [finishedBuild(3, 'test:failed test:failed')]],
  [
    'another job of the step',
    [
      withPart(finishedBuild(3, 'test:passed', { commit }), 1),
      withPart(finishedBuild(2, 'test:failed', { commit }), 0),
    ],
  ],
])('is not flaky: %s', (_, builds) => {
  expect(statsOf(...builds).flaky).toEqual([]);
});

function withPart(build: Build, index: number): Build {
  build.jobs?.forEach((job) =>
    Object.assign(job, { parallel_group_index: index, parallel_group_total: 2 }),
  );
  return build;
}

test('keeps three examples of a step, and counts the others', () => {
  const builds = [9, 8, 7, 6].map((number) => finishedBuild(number, 'test:failed test:passed'));
  const [step] = statsOf(...builds).flaky;
  expect(step?.count).toBe(4);
  expect(step?.examples.map(({ failed }) => failed.number)).toEqual([9, 8, 7]);
});

test('a retry that refers to itself terminates', () => {
  const build = finishedBuild(1, 'test:failed');
  Object.assign(build.jobs?.[0] ?? {}, { retried_in_job_id: '1-0' });
  expect(statsOf(build).flaky).toEqual([]);
});

const word = fc
  .tuple(
    fc.constantFrom('lint', 'test', 'e2e'),
    fc.constantFrom('passed', 'failed', 'canceled'),
    fc.integer({ min: 0, max: 500 }),
  )
  .map((parts) => parts.join(':'));

test('shares of the critical path add up to one, and a step that never passed is not flaky', () => {
  fc.assert(
    fc.property(fc.array(fc.array(word, { maxLength: 6 }), { maxLength: 12 }), (all) => {
      const builds = all.map((words, index) => finishedBuild(all.length - index, words.join(' ')));
      const { builds: whole, steps, flaky } = statsOf(...builds);
      expect(whole.runs + whole.others).toBe(builds.length);
      const share = steps.reduce((sum, { critical_share: part }) => sum + (part ?? 0), 0);
      if (steps.some(({ critical_share: part }) => part !== null)) expect(share).toBeCloseTo(1, 2);
      const jobs = builds.flatMap(({ jobs: own }) => own ?? []);
      for (const step of steps) {
        const own = jobs.filter(({ step_key }) => step_key === step.step_key);
        expect(step.passed).toBe(own.filter(({ state }) => state === 'passed').length);
        expect(step.runs).toBe(step.passed + step.failed);
        expect(step.flaky).toBeLessThanOrEqual(Math.min(step.passed, step.failed));
      }
      expect(flaky.length).toBe(steps.filter((step) => step.flaky > 0).length);
    }),
    fuzzed(200),
  );
});

test.each(['c'.repeat(64), 'abc123', 'C0FE'])('%s is a commit', (short) => {
  const { flaky } = statsOf(
    finishedBuild(3, 'test:passed', { commit: short }),
    finishedBuild(2, 'test:failed', { commit: short }),
  );
  expect(flaky).toMatchObject([{ count: 1 }]);
});

const one = fc.record({
  state: fc.constantFrom('passed', 'failed', 'canceled'),
  commit: fc.constantFrom('a'.repeat(40), 'b'.repeat(40), 'HEAD'),
});

test('a step that failed and later passed on one commit is flaky', () => {
  fc.assert(
    fc.property(fc.array(one, { maxLength: 10 }), (all) => {
      const builds = all.map(({ state, commit: of }, index) =>
        finishedBuild(all.length - index, `test:${state}`, { commit: of }),
      );
      const expected = all.filter(
        ({ state, commit: of }, index) =>
          state === 'failed' &&
          of !== 'HEAD' &&
          all.slice(0, index).some((newer) => newer.state === 'passed' && newer.commit === of),
      );
      expect(statsOf(...builds).flaky[0]?.count ?? 0).toBe(expected.length);
    }),
    fuzzed(300),
  );
});

test.each([
  [{ name: 'Lint', step_key: 'lint' }, 'lint', 'Lint'],
  [{ name: 'Lint', step_key: null }, null, 'Lint'],
  // The API's form of a step without a key.
  [{ name: 'Lint', step_key: '' }, null, 'Lint'],
  [{ command: 'make', step_key: '' }, null, 'make'],
  [{ name: 'Test 1/4', parallel_group_index: 0, parallel_group_total: 4 }, null, 'Test'],
])('job %j belongs to step %j, %j', (job, key, name) => {
  expect(stepOfJob(job)).toMatchObject({ key, name });
});
