import { expect, test } from 'vitest';
import { isCostlyJq } from './jq-cost.ts';

const small = JSON.stringify(
  Array.from({ length: 30 }, (_, number) => ({ number, state: 'passed', jobs: [{ id: 'a' }] })),
);

test.each([
  '.',
  '.[].number',
  '.[] | select(.state == "failed") | .web_url',
  '[.[] | {number, state, message: .message}]',
  '.[] | [.number, .state, .branch] | @tsv',
  '.[] | .jobs[] | select(.exit_status >= 1 and .soft_failed != true) | .id',
  'map(select(.number > 3)) | length',
  '[..|.id? // empty] | unique',
  '.[0].range',
  'sort_by(.created_at) | first',
  'group_by(.state) | map({state: .[0].state, count: length})',
  '"while repeating * = range"',
  '.["as"], .test',
])('%s ends soon', (program) => {
  expect(isCostlyJq(program, small)).toBe(false);
});

test.each([
  'last(repeat(1))',
  '[range(1e18)]',
  'def f: f; f',
  'until(false; .)',
  '"x" * 1000000000',
  '.[500000000] = 1',
  '.[0] |= 1',
  'reduce .[] as $i (0; . + $i)',
  'test("(a+)+$")',
  '[.[], .[], .[], .[], .[]] | {a: .[], b: .[], c: .[]}',
  Array(30).fill('(., .)').join(' | '),
  Array(30).fill('. + .').join(' | '),
  '"\\(range(1e18))"',
])('%s may run long', (program) => {
  expect(isCostlyJq(program, small)).toBe(true);
});

test('so may all on much data', () => {
  expect(isCostlyJq('.', `"${'x'.repeat(9_000_000)}"`)).toBe(true);
  expect(isCostlyJq('{a: .[], b: .[]}', `[${'1,'.repeat(10_000)}1]`)).toBe(true);
});
