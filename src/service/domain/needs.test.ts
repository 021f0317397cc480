import { expect, test } from 'vitest';
import { needsOf, type Need, type StepList } from './needs.ts';
import { plan } from '../../../test/support/units/scenario.ts';

/**
 * `0 1 (2)`: steps that must pass, in parentheses those that must only finish; `2 < 0 1`: earlier
 * ones.
 */
const needed = (words: string, index: number): string =>
  (needsOf(plan(words).steps)[index] ?? []).map(text).join(' ');

const text = ({ list, allowFailure }: Need): string =>
  allowFailure ? `(${listText(list)})` : listText(list);

const listText = ({ steps, earlier }: StepList): string =>
  earlier === null ? steps.join(' ') : `${steps.join(' ')} < ${listText(earlier)}`;

test('steps before the first gate depend on nothing', () => {
  expect(needed('a b wait c', 0)).toBe('');
  expect(needed('a b wait c', 1)).toBe('');
});

test('a step after several gates depends only on the last one', () => {
  expect(needed('a wait b block c d', 2)).toBe('1');
  expect(needed('a wait b block c d', 5)).toBe('3');
});

test.each([
  ['wait', ' < 0'],
  ['block', ''],
])('%s depends on the steps since the previous gate, and on that gate', (gate, earlier) => {
  expect(needed(`a b ${gate}`, 2)).toBe('0 1');
  expect(needed(`a wait b c ${gate}`, 4)).toBe(`1 2 3${earlier}`);
  expect(needed(`wait ${gate}`, 1)).toBe('0');
  expect(needed(gate, 0)).toBe('');
});

test('a wait with continue_on_failure only requires that earlier steps have finished', () => {
  expect(needed('a wait! b', 1)).toBe('(0)');
  expect(needed('a wait! b', 2)).toBe('1');
  expect(needed('a wait! b wait! c', 3)).toBe('1 (1 2 < 0)');
});

test('a wait with continue_on_failure does not lift earlier gates', () => {
  expect(needed('a wait b wait! c', 3)).toBe('1 (1 2 < 0)');
  expect(needed('a wait! b wait c', 3)).toBe('1 2 < 0');
  expect(needed('a wait b wait! c block d', 5)).toBe('3 4');
});

test('a step with depends_on needs only those, and later gates need it', () => {
  expect(needed('a:A wait b<A c< wait d', 2)).toBe('0');
  expect(needed('a:A wait b<A c< wait d', 3)).toBe('');
  expect(needed('a:A wait b<A c< wait d', 4)).toBe('1 2 3 < 0');
  expect(needed('a:A b<A!', 1)).toBe('(0)');
  expect(needed('a:A b:B c<A,B!', 2)).toBe('0 (1)');
});

test('a gate with depends_on is still a gate, but does not replace earlier ones', () => {
  expect(needed('a:A wait b wait<A c wait d', 3)).toBe('0');
  expect(needed('a:A wait b wait<A c wait d', 4)).toBe('1 3');
  expect(needed('a:A wait b wait<A c wait d', 5)).toBe('1 2 3 4 < 0');
  expect(needed('a:A wait b wait<A c wait d', 6)).toBe('5');
});

test('an input depends on gates but is not one; later gates depend on it', () => {
  expect(needed('a input b', 1)).toBe('');
  expect(needed('a input b', 2)).toBe('');
  expect(needed('a wait input b', 2)).toBe('1');
  expect(needed('a input wait b', 2)).toBe('0 1');
});

test('an excluded gate blocks nothing', () => {
  expect(needed('a wait~ b wait c', 2)).toBe('');
  expect(needed('a wait~ b wait c', 3)).toBe('0 1 2');
});

test('the key of several steps or of a group means all of them', () => {
  expect(needed('a:A a:A b<A', 2)).toBe('0 1');
  expect(needed('a/G b/G c<G', 2)).toBe('0 1');
});

test('dependencies of a group apply to each of its steps', () => {
  const words = 'x:X wait a/G<X b<A/G<X a:A wait/G<X c/G<X d';
  expect(needed(words, 2)).toBe('0');
  expect(needed(words, 3)).toBe('0 4');
  expect(needed(words, 5)).toBe('0 2 3');
  expect(needed(words, 6)).toBe('0 5');
  expect(needed(words, 7)).toBe('1 5');
});

test('a step with allow_dependency_failure still waits for its gates', () => {
  const [a, wait, b] = plan('a:A wait b/G<A').steps;
  if (!a || !wait || !b) throw new Error('there are three steps');
  const needs = needsOf([a, wait, { ...b, allowDependencyFailure: true }]);
  expect(needs[2]?.map(text)).toEqual(['(0)']);
});

test('ignores a key that does not exist', () => {
  expect(needed('a<X', 0)).toBe('');
});
