import { expect, test } from 'vitest';
import { failure, kindOf } from './failure.ts';
import type { CallInfo } from './call.ts';

const get: CallInfo = { method: 'GET', action: 'view it', scope: 'read_builds' };
const url = new URL('http://ci.test/v2/x');
const body = (async function* () {})();

test.each([
  [199, 'invalid_response'],
  [200, undefined],
  [299, undefined],
  [300, 'invalid_response'],
  [399, 'invalid_response'],
  [400, 'refused'],
  [401, 'auth'],
  [402, 'refused'],
  [403, 'auth'],
  [404, 'not_found'],
  [428, 'refused'],
  [429, 'rate_limited'],
  [499, 'refused'],
  [500, 'service_failed'],
  [599, 'service_failed'],
  [600, 'invalid_response'],
])('the status %i is a failure of kind %s', (status, kind) => {
  expect(kindOf(status)).toBe(kind);
});

const message = (status: number, text: string, headers: Record<string, string> = {}) =>
  failure(get, { status, headers, url, body }, text).message;

const rest = ',"more":"'.padEnd(2000, 'x');

test.each([
  [`{"message":"too big"${rest}`, 'too big'],
  [`\n {"a":1, "message" : "too big"${rest}`, 'too big'],
  [`{"message":"a \\"b\\" c\\u00e9"${rest}`, 'a "b" cé'],
  [`{"message":""${rest}`, 'the service answers 400'],
  [`{"message":"cut off before its e`, 'the service answers 400'],
  [`{"message":5${rest}`, 'the service answers 400'],
  [`{"other":"x"${rest}`, 'the service answers 400'],
  [`["message":"too big"${rest}`, 'the service answers 400'],
])('of a body that was cut off the message is enough: %.30s', (text, reason) => {
  expect(message(400, text)).toBe(`cannot view it: ${reason}`);
});

test.each<[Record<string, string>, string]>([
  [{}, ' (it needs the scope read_builds)'],
  [{ 'x-oauth-scopes': 'graphql' }, ' (it needs the scope read_builds)'],
  [{ 'x-oauth-scopes': 'graphql,  read_builds' }, ''],
  [{ 'x-oauth-scopes': 'read_builds graphql' }, ''],
  [{ 'x-oauth-scopes': 'read_builds_more' }, ' (it needs the scope read_builds)'],
  [{ 'x-accepted-oauth-scopes': 'read_all' }, ' (it needs the scope read_all)'],
  [{ 'x-accepted-oauth-scopes': '' }, ''],
])('a call is forbidden that has %j', (headers, needs) => {
  expect(message(403, '{"message":"Forbidden"}', headers)).toBe(
    `cannot view it: Forbidden${needs}`,
  );
});

test('a call without a scope names none, nor does one whose scope the service names', () => {
  const response = { status: 403, headers: {}, url, body };
  const bare: CallInfo = { method: 'GET', action: 'view it' };
  expect(failure(bare, response, '').message).toBe('cannot view it: the service answers 403');
  expect(message(403, 'no scope read_builds')).toBe('cannot view it: no scope read_builds');
});

test.each<[object, string, string | undefined]>([
  [{}, 'its rate limit is used up, after all tries', undefined],
  [
    { tooLong: 2001, totalWait: 2001 },
    'its rate limit is used up, and it asks to wait 3 s, longer than --max-wait',
    'add --max-wait 3s',
  ],
  [
    { tooLong: 2000, totalWait: 5000 },
    'its rate limit is used up, and it asks to wait 2 s, with what was waited before longer than --max-wait',
    'add --max-wait 5s',
  ],
])('a rate limit, with %j, says how long to wait', (limits, reason, hint) => {
  const error = failure(get, { status: 429, headers: {}, url, body, ...limits }, '');
  expect(error).toMatchObject({ message: `cannot view it: ${reason}`, hint, details: [] });
});

test('the words of the service are there once, and for programs always', () => {
  const parts = (status: number, text: string) => {
    const { details, serviceMessage } = failure(get, { status, headers: {}, url, body }, text);
    return { details, serviceMessage };
  };
  const text = '{"message":"m","errors":["e"]}';
  expect(parts(429, text)).toEqual({ details: ['m', 'e'], serviceMessage: undefined });
  expect(parts(404, text)).toEqual({ details: ['e'], serviceMessage: 'm' });
  expect(parts(422, text)).toEqual({ details: ['e'], serviceMessage: undefined });
  expect(parts(404, '')).toEqual({ details: [], serviceMessage: undefined });
});

test('how long the service wants to be left alone goes with the error', () => {
  const response = { status: 503, headers: {}, url, body };
  expect(failure(get, { ...response, retryAfter: 5000 }, '').retryAfter).toBe(5000);
  expect(failure(get, response, '').retryAfter).toBeUndefined();
});
