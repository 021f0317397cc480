import { expect, test } from 'vitest';
import { load, problems } from '../../../test/support/units/load-steps.ts';
import { longTest } from '../../../test/support/full.ts';

const chain = (count: number): string =>
  Array.from({ length: count }, (_, index) => {
    const before = index === 0 ? '' : `, depends_on: k${index - 1}`;
    return `- {command: x, key: k${index}${before}}\n`;
  }).join('');

test('accepts 10,000 jobs but not 10,001', () => {
  expect(load('[{command: x, parallelism: 10000}]').steps).toHaveLength(10_000);
  const text = '[{command: x, parallelism: 9999}, {command: y, parallelism: 2}, {command: z}]';
  expect(problems(text)).toEqual(['1:35: the pipeline has more than 10000 jobs']);
});

longTest('accepts 10,000 steps but not 10,001, and a long chain is not a cycle', () => {
  expect(load('- wait\n'.repeat(10_000)).steps).toHaveLength(10_000);
  expect(load(chain(10_000)).steps).toHaveLength(10_000);
  const found = problems('- wait\n'.repeat(10_001));
  expect(found).toEqual(['10001:3: the pipeline has more than 10000 steps']);
});

longTest('combines a notice about many steps into one', () => {
  const { notices } = load('- {command: x, agents: {queue: q}}\n'.repeat(10_000));
  expect(notices).toHaveLength(1);
  expect(notices[0]).toContain('(and in 9999 more places)');
});

test('lists the first of more than a thousand problems', () => {
  for (const text of ['}'.repeat(600_000), '&a '.repeat(2000), '- {comand: x}\n'.repeat(2000)]) {
    const found = problems(text);
    expect(found).toHaveLength(1001);
    expect(found.at(-1)).toContain('more problems not shown');
  }
  expect(() => load('}'.repeat(2000))).toThrow('more than 1000 problems');
  expect(problems('- {comand: x}\n'.repeat(1000))).toHaveLength(1000);
});

test('restores the stack trace limit after loading a file', () => {
  const limit = Error.stackTraceLimit;
  problems('}');
  expect(Error.stackTraceLimit).toBe(limit);
});

/** Each variable is ten times as long as the one before. */
const multiplying = (count: number): string =>
  [
    'env:',
    'A0: 0123456789',
    ...Array.from({ length: count }, (_, index) => `A${index + 1}: ${`$A${index}`.repeat(10)}`),
  ].join('\n  ') + '\n';

test('limits recursive variable expansion', () => {
  const long = 'the string is longer than 4 MiB after its variables are replaced';
  expect(problems(`${multiplying(11)}steps: [{command: $A11}]`)[0]).toContain(long);
  const much = `${multiplying(5)}steps:\n${'- command: $A5\n'.repeat(100)}`;
  expect(problems(much)).toEqual([
    expect.stringContaining('the jobs expand to more than 64 MiB of text'),
  ]);
});

test.each([
  ['parallel', `- {parallelism: 10000, command: ${'a'.repeat(10_000)}}`],
  ['of a matrix', `- {matrix: [${'a'.repeat(10_000)}], command: "${'{{matrix}}'.repeat(10_000)}"}`],
])('jobs that are %s do not make a small file large', (_, text) => {
  expect(problems(text)).toEqual([
    expect.stringContaining('the jobs expand to more than 64 MiB of text'),
  ]);
});
