import { expect, test } from 'vitest';
import { needsOf, type Need, type StepList } from './needs.ts';
import { plan } from '../../../test/support/units/scenario.ts';

/** `0 1 (2)`: steps that have to be fine, in brackets those that have to be over; `2 < 0 1`: earlier ones. */
const needed = (words: string, index: number): string =>
  (needsOf(plan(words).steps)[index] ?? []).map(text).join(' ');

const text = ({ list, allowFailure }: Need): string =>
  allowFailure ? `(${listText(list)})` : listText(list);

const listText = ({ steps, earlier }: StepList): string =>
  earlier === null ? steps.join(' ') : `${steps.join(' ')} < ${listText(earlier)}`;

test('steps before the first gate need nothing', () => {
  expect(needed('a b wait c', 0)).toBe('');
  expect(needed('a b wait c', 1)).toBe('');
});

test('a step after gates needs the last of them alone', () => {
  expect(needed('a wait b block c d', 2)).toBe('1');
  expect(needed('a wait b block c d', 5)).toBe('3');
});

test.each([
  ['wait', ' < 0'],
  ['block', ''],
])('%s needs what is between it and the gate before, and that gate', (gate, earlier) => {
  expect(needed(`a b ${gate}`, 2)).toBe('0 1');
  expect(needed(`a wait b c ${gate}`, 4)).toBe(`1 2 3${earlier}`);
  expect(needed(`wait ${gate}`, 1)).toBe('0');
  expect(needed(gate, 0)).toBe('');
});

test('a wait that goes on after failures asks only that what is before it is over', () => {
  expect(needed('a wait! b', 1)).toBe('(0)');
  expect(needed('a wait! b', 2)).toBe('1');
  expect(needed('a wait! b wait! c', 3)).toBe('1 (1 2 < 0)');
});

test('it lifts no gate before it, and gates look beyond it', () => {
  expect(needed('a wait b wait! c', 3)).toBe('1 (1 2 < 0)');
  expect(needed('a wait! b wait c', 3)).toBe('1 2 < 0');
  expect(needed('a wait b wait! c block d', 5)).toBe('3 4');
});

test('a step with dependencies needs them alone, and gates after it need it', () => {
  expect(needed('a:A wait b<A c< wait d', 2)).toBe('0');
  expect(needed('a:A wait b<A c< wait d', 3)).toBe('');
  expect(needed('a:A wait b<A c< wait d', 4)).toBe('1 2 3 < 0');
  expect(needed('a:A b<A!', 1)).toBe('(0)');
  expect(needed('a:A b:B c<A,B!', 2)).toBe('0 (1)');
});

test('a gate with dependencies is a gate, and stands for nothing before it', () => {
  expect(needed('a:A wait b wait<A c wait d', 3)).toBe('0');
  expect(needed('a:A wait b wait<A c wait d', 4)).toBe('1 3');
  expect(needed('a:A wait b wait<A c wait d', 5)).toBe('1 2 3 4 < 0');
  expect(needed('a:A wait b wait<A c wait d', 6)).toBe('5');
});

test('an input needs gates and is none, but gates after it need it', () => {
  expect(needed('a input b', 1)).toBe('');
  expect(needed('a input b', 2)).toBe('');
  expect(needed('a wait input b', 2)).toBe('1');
  expect(needed('a input wait b', 2)).toBe('0 1');
});

test('a gate that is left out holds nothing', () => {
  expect(needed('a wait~ b wait c', 2)).toBe('');
  expect(needed('a wait~ b wait c', 3)).toBe('0 1 2');
});

test('the key of several steps, or of a group, is all of them', () => {
  expect(needed('a:A a:A b<A', 2)).toBe('0 1');
  expect(needed('a/G b/G c<G', 2)).toBe('0 1');
});

test('what a group depends on comes before each of its steps, whose order is then their own', () => {
  const words = 'x:X wait a/G<X b<A/G<X a:A wait/G<X c/G<X d';
  expect(needed(words, 2)).toBe('0');
  expect(needed(words, 3)).toBe('0 4');
  expect(needed(words, 5)).toBe('0 2 3');
  expect(needed(words, 6)).toBe('0 5');
  expect(needed(words, 7)).toBe('1 5');
});

test('a step that lets its dependencies fail still stands behind its gates', () => {
  const [a, wait, b] = plan('a:A wait b/G<A').steps;
  if (!a || !wait || !b) throw new Error('there are three steps');
  const needs = needsOf([a, wait, { ...b, allowDependencyFailure: true }]);
  expect(needs[2]?.map(text)).toEqual(['(0)']);
});

test('a key that nothing has asks for nothing', () => {
  expect(needed('a<X', 0)).toBe('');
});
