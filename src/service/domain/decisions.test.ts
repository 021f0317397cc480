import { expect, test } from 'vitest';
import { countMetrics } from './metrics.ts';
import { ruleTypes, type JobState } from './records.ts';
import { rulesPermit } from './permissions.ts';

const [trigger, artifacts] = ruleTypes;
const rule = { type: trigger, sourceId: 'a', targetId: 'b' };

test.each([
  ['unrestricted', 'a', 'b', false, [], trigger, true],
  ['restricted', 'a', 'b', true, [], trigger, false],
  ['restricted, itself', 'b', 'b', true, [], trigger, true],
  ['by rule', 'a', 'b', true, [rule], trigger, true],
  ['by a rule for something else', 'a', 'b', true, [rule], artifacts, false],
  ['by a rule the other way', 'b', 'a', true, [rule], trigger, false],
  ['by a rule for another target', 'a', 'c', true, [rule], trigger, false],
  ['by a rule for another source', 'c', 'b', true, [rule], trigger, false],
])('%s: %s may act on %s', (_, source, target, restricted, rules, type, expected) => {
  const organizationId = 'o';
  const from = { id: source, organizationId };
  expect(rulesPermit(rules, type, from, { id: target, organizationId, restricted })).toBe(expected);
});

test('denies access to another organization, restricted or not', () => {
  const target = { id: 'b', organizationId: 'o', restricted: false };
  expect(rulesPermit([rule], trigger, { id: 'a', organizationId: 'p' }, target)).toBe(false);
});

test('counts script jobs by queue', () => {
  const jobs = (state: JobState, queue = 'default', n = 1) => ({ state, queue, n });
  const all = [
    jobs('scheduled'),
    jobs('running'),
    jobs('canceling', 'q'),
    jobs('waiting', 'q', 3),
    jobs('limited'),
  ];
  const agents = [
    ...[true, true, false].map((isBusy) => ({ queue: 'default', isBusy })),
    { queue: 'gpu', isBusy: false },
  ];
  const counted = countMetrics(agents, all);
  expect(counted.agents).toEqual({
    ...{ idle: 2, busy: 2, total: 4 },
    queues: {
      default: { idle: 1, busy: 2, total: 3 },
      gpu: { idle: 1, busy: 0, total: 1 },
    },
  });
  expect(counted.jobs).toEqual({
    scheduled: 1,
    running: 2,
    waiting: 4,
    total: 7,
    queues: {
      default: { scheduled: 1, running: 1, waiting: 1, total: 3 },
      q: { scheduled: 0, running: 1, waiting: 3, total: 4 },
    },
  });
});
