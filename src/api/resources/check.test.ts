import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import { accessToken } from './access_token.ts';
import { annotation } from './annotation.ts';
import { build } from './build.ts';
import { assertResource, checkIdentity, checkResource, typeName, withoutLists } from './check.ts';
import { emoji } from './emoji.ts';
import { job } from './job.ts';
import { jobLog } from './job_log.ts';
import { metrics } from './metrics.ts';
import { organization } from './organization.ts';
import { rule } from './rule.ts';

test.each<[string, object]>([
  ['nothing', {}],
  ['nulls', { number: null, jobs: null, env: null, pipeline: null, creator: null }],
  ['members unknown to us', { number: 7, shape: { round: true }, jobs: [{ colour: 5 }] }],
  ['a number longer than JavaScript holds', { number: new LosslessNumber('9007199254740993') }],
  ['whatever is open', { author: 5, pull_request: [], env: { A: 1 } }],
])('accepts %s', (_, element) => {
  expect(checkResource(build, element)).toBeUndefined();
});

test.each<[object, string]>([
  [{ jobs: {} }, 'jobs is an object instead of an array'],
  [{ jobs: 'none' }, 'jobs is a string instead of an array'],
  [{ jobs: [{}, null] }, 'jobs[1] is null instead of an object'],
  [{ jobs: [[]] }, 'jobs[0] is an array instead of an object'],
  [{ jobs: [{ id: 'a' }, { state: 3 }] }, 'jobs[1].state is a number instead of a string'],
  [{ jobs: [{ agent: { id: [] } }] }, 'jobs[0].agent.id is an array instead of a string'],
  [{ jobs: [{ agent_query_rules: ['a', 1] }] }, 'jobs[0].agent_query_rules[1] is a number'],
  [{ message: 5 }, 'message is a number instead of a string'],
  [{ created_at: 1700000000 }, 'created_at is a number instead of a string'],
  [{ blocked: 'yes' }, 'blocked is a string instead of a boolean'],
  [{ number: '7' }, 'number is a string instead of an integer'],
  [{ number: 7.5 }, 'number is a number instead of an integer'],
  [{ number: new LosslessNumber('1e400') }, 'number is a number instead of an integer'],
  [{ message: new LosslessNumber('9007199254740993') }, 'message is a number instead of a string'],
  [{ env: ['A=1'] }, 'env is an array instead of an object'],
  [{ pipeline: 'web' }, 'pipeline is a string instead of an object'],
  [{ pipeline: { slug: {} } }, 'pipeline.slug is an object instead of a string'],
  [{ pipeline: 'web', number: '7' }, 'number is a string instead of an integer'],
])('%j', (element, error) => {
  expect(checkResource(build, element)).toContain(error);
});

test('names the element and its member, with exit code 9', () => {
  expect(() => {
    assertResource(build, { number: 7, jobs: {} });
  }).toThrow(
    expect.objectContaining({
      kind: 'invalid_response',
      message: 'build 7: jobs is an object instead of an array',
    }),
  );
});

const resources = [build, job, annotation, rule, organization, emoji, accessToken, jobLog];

test.each(resources)('$name has the members that distinguish it from others', (resource) => {
  const { identity = [], members } = resource;
  expect(identity.length).toBeGreaterThan(0);
  expect(Object.keys(members)).toEqual(expect.arrayContaining([...identity]));
});

test.each<[object, string | undefined]>([
  [{ number: 7 }, undefined],
  [{ id: 'x' }, undefined],
  [{}, 'the response is not a build: it has no number or id'],
  [{ message: 'Sign in' }, 'the response is not a build'],
  [{ number: '7', id: 5 }, 'the response is not a build'],
])('%j is a build or not', (element, error) => {
  expect(checkIdentity(build, element) ?? '').toContain(error ?? '');
  expect(checkIdentity(build, element) === undefined).toBe(error === undefined);
});

test.each<[object, string]>([
  [{ number: 7 }, 'build 7: '],
  [{ id: 'b-1' }, 'build b-1: '],
  [{ number: true, id: 'b-1' }, 'build b-1: '],
  [{ id: 'x'.repeat(100) }, `build ${'x'.repeat(80)}: `],
  [{}, 'build: '],
  [{ number: null, id: {} }, 'build: '],
])('names an element by what identifies it: %j', (element, name) => {
  expect(() => {
    assertResource(build, { ...element, message: 5 });
  }).toThrow(new RegExp(`^${name}`));
});

test('does not check values made here', () => {
  expect(() => {
    assertResource(metrics, { agents: 5 });
  }).not.toThrow();
  expect(checkIdentity(metrics, {})).toBeUndefined();
});

test.each([
  [{ number: null, id: undefined }, 'not a build'],
  [{ number: 7.5 }, 'not a build'],
  [{ number: {}, id: [] }, 'not a build'],
])('%j does not identify a build', (element, words) => {
  expect(checkIdentity(build, element)).toContain(words);
});

test('a list of another kind names its element', () => {
  expect(checkResource(jobLog, { header_times: 5 })).toBe(
    'header_times is a number instead of an array',
  );
  expect(checkResource(jobLog, { header_times: [5, 'x', {}] })).toBeUndefined();
});

test.each<[unknown, string]>([
  [undefined, 'missing'],
  [null, 'null'],
  [[], 'an array'],
  [{}, 'an object'],
  [new LosslessNumber('1e400'), 'a number'],
  [1, 'a number'],
  ['', 'a string'],
  [false, 'a boolean'],
])('%j is %s in words', (value, words) => {
  expect(typeName(value)).toBe(words);
});

test('ignores lists that no path reads', () => {
  const wrong = { number: 7, jobs: {} };
  expect(checkResource(withoutLists(build, ['number']), wrong)).toBeUndefined();
  expect(checkResource(withoutLists(build, ['jobs.state']), wrong)).toContain('jobs is an object');
});
