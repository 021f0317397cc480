import { expect, test } from 'vitest';
import { percent, sparkline } from './stats-resource.ts';
import { stepOfJob } from './collect.ts';
import { buildOutcome, isFinished, jobOutcome } from './count-runs.ts';

test.each([
  [null, undefined],
  [0, '0%'],
  [0.001, '<1%'],
  [0.005, '1%'],
  [0.5, '50%'],
  [0.999, '99%'],
  [1, '100%'],
])('%s is %s', (share, expected) => {
  expect(percent(share)).toBe(expected);
});

test.each([
  [[], undefined],
  [[3], undefined],
  [[0, 0], '▁▁'],
  [[0, 4, 8], '▁▅█'],
  [[8, 1], '█▂'],
  [Array.from({ length: 20 }, (_, index) => (index < 10 ? 8 : 4)), '█████▅▅▅▅▅'],
])('draws %j as %s', (values, expected) => {
  expect(sparkline(values)).toBe(expected);
});

test.each([
  [
    { name: 'Test', step_key: 'test' },
    { key: 'test', name: 'Test', part: '' },
  ],
  [
    { name: 'Test 2/4', parallel_group_index: 1, parallel_group_total: 4 },
    { key: null, name: 'Test', part: '[1,null]' },
  ],
  [
    { name: 'Test', parallel_group_index: 1, parallel_group_total: 4 },
    { key: null, name: 'Test', part: '[1,null]' },
  ],
  [
    { name: 'On 20', matrix: { node: '20' } },
    { key: null, name: 'On 20', part: '[null,{"node":"20"}]' },
  ],
  [{ command: 'make all\nmake more' }, { key: null, name: 'make all', part: '' }],
  [{}, { key: null, name: 'job', part: '' }],
])('%j belongs to the step %j', (job, expected) => {
  expect(stepOfJob(job)).toEqual(expected);
});

test.each([
  [{ state: 'passed' }, 'passed', true],
  [{ state: 'passed', blocked: true }, 'passed', true],
  [{ state: 'blocked', blocked_state: 'failed' }, 'failed', true],
  [{ state: 'failed' }, 'failed', true],
  [{ state: 'canceled' }, undefined, true],
  [{ state: 'running' }, undefined, false],
  [{ state: 'skipped' }, undefined, false],
  [{}, undefined, false],
])('the build %j %s, finished: %s', (build, outcome, isOver) => {
  expect([buildOutcome(build), isFinished(build)]).toEqual([outcome, isOver]);
});

test.each([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['timed_out', 'failed'],
  ['canceled', undefined],
  ['broken', undefined],
])('a job that is %s counts as %s', (state, expected) => {
  expect(jobOutcome({ state })).toBe(expected);
});
