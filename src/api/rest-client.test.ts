import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import { build } from './resources/build.ts';
import { jobLog } from './resources/job_log.ts';
import {
  asItCame,
  both,
  complete,
  environment,
  identified,
  numbered,
  readable,
} from './rest-client.ts';

test('members must have the right types, and are optional', () => {
  expect(readable(build)({})).toBeUndefined();
  expect(readable(build)({ message: 5 })).toBe('message is a number instead of a string');
});

test.each<[Record<string, unknown>, string | undefined]>([
  [{ content: 'a' }, undefined],
  [{ content: '', size: null }, undefined],
  [{}, 'content is missing'],
  [{ content: null }, 'content is null'],
  [{ content: 5 }, 'content is a number instead of a string'],
  [{ content: 'a', size: 'b' }, 'size is a string instead of an integer'],
])('a log needs its content: %j', (response, error) => {
  expect(complete(jobLog, ['content'])(response)).toBe(error);
});

test('values that are only passed on can be anything', () => {
  expect(asItCame({ number: [] })).toBeUndefined();
});

test('a changed resource is recognized by one of its names', () => {
  expect(identified(build)({ number: 7, message: 5 })).toBeUndefined();
  expect(identified(build)({ message: 'Sign in' })).toContain('the response is not a build');
});

test.each<[unknown, string | undefined]>([
  [7, undefined],
  [undefined, undefined],
  [null, undefined],
  [8, 'the response is build 8'],
  ['7', 'the response is build "7"'],
  [new LosslessNumber('9007199254740993'), 'the response is build 9007199254740993'],
  ['x'.repeat(200), `the response is build "${'x'.repeat(79)}…`],
])('build 7 with the number %s', (number, error) => {
  expect(numbered(7)({ number })).toBe(error);
});

test('the first of several that finds something wins', () => {
  const [none, one, two] = [() => undefined, () => 'one', () => 'two'];
  expect(both()({})).toBeUndefined();
  expect(both(none, none)({})).toBeUndefined();
  expect(both(none, one, two)({})).toBe('one');
  expect(both(two, one)({})).toBe('two');
});

test.each<[unknown, string | undefined]>([
  [{}, undefined],
  [{ A: '', B: null, C: 'x' }, undefined],
  [undefined, 'env is missing instead of an object'],
  [null, 'env is null instead of an object'],
  ['A=1', 'env is a string instead of an object'],
  [['A=1'], 'env is an array instead of an object'],
  [{ A: 'x', B: 5 }, 'env.B is a number instead of a string'],
  [{ A: ['secret'] }, 'env.A is an array instead of a string'],
  [{ ['N'.repeat(100)]: {} }, `env.${'N'.repeat(80)}… is an object instead of a string`],
])('variables are strings by name: %j', (env, error) => {
  expect(environment({ env })).toBe(error);
});
