import { expect, test } from 'vitest';
import { load, problems } from './steps/loading.ts';

const chain = (count: number): string =>
  Array.from({ length: count }, (_, index) => {
    const before = index === 0 ? '' : `, depends_on: k${index - 1}`;
    return `- {command: x, key: k${index}${before}}\n`;
  }).join('');

test('10,000 jobs are accepted, one more is not', () => {
  expect(load('[{command: x, parallelism: 10000}]').steps).toHaveLength(10_000);
  const text = '[{command: x, parallelism: 9999}, {command: y, parallelism: 2}, {command: z}]';
  expect(problems(text)).toEqual(['1:35: the pipeline has more than 10000 jobs']);
});

test('10,000 steps are accepted, one more is not, and a long chain is no circle', () => {
  expect(load('- wait\n'.repeat(10_000)).steps).toHaveLength(10_000);
  expect(load(chain(10_000)).steps).toHaveLength(10_000);
  const found = problems('- wait\n'.repeat(10_001));
  expect(found).toEqual(['10001:3: the pipeline has more than 10000 steps']);
});

test('a notice of many steps is one', () => {
  const { notices } = load('- {command: x, agents: {queue: q}}\n'.repeat(10_000));
  expect(notices).toHaveLength(1);
  expect(notices[0]).toContain('(and in 9999 more places)');
});
