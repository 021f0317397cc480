import { expect, test } from 'vitest';
import { needsOf } from './needs.ts';
import { build } from './scenario.ts';

const needed = (words: string, index: number) => needsOf(build(words).plan.steps, index);

const passed = (...steps: number[]) => steps.map((step) => ({ step, allowFailure: false }));

test('steps before the first gate need nothing', () => {
  expect(needed('a b wait c', 0)).toEqual([]);
  expect(needed('a b wait c', 1)).toEqual([]);
});

test('a step after gates needs the last of them alone', () => {
  expect(needed('a wait b block c d', 2)).toEqual(passed(1));
  expect(needed('a wait b block c d', 5)).toEqual(passed(3));
});

test.each(['wait', 'block'])(
  '%s needs what is between it and the gate before, and that gate',
  (gate) => {
    expect(needed(`a b ${gate}`, 2)).toEqual(passed(0, 1));
    expect(needed(`a wait b c ${gate}`, 4)).toEqual(passed(1, 2, 3));
    expect(needed(`wait ${gate}`, 1)).toEqual(passed(0));
    expect(needed(gate, 0)).toEqual([]);
  },
);

test('only a wait that goes on after failures lets its needs fail', () => {
  expect(needed('a wait! b', 1)).toEqual([{ step: 0, allowFailure: true }]);
  expect(needed('a wait! b', 2)).toEqual(passed(1));
  expect(needed('a block', 1)).toStrictEqual(passed(0));
});

test('a step that is not there needs nothing', () => {
  expect(needed('wait a', 2)).toEqual([]);
});
