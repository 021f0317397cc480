import { expect, test, describe } from 'vitest';
import { failure, kindOf, explainNotFound, toCictlError, withCictlErrors } from './failure.ts';
import type { CallInfo, Subject } from './call.ts';
import { readErrorBody } from './decode.ts';
import { CictlError } from '../errors.ts';
import { InvalidResponseError, TransportError } from '../http/transport.ts';
import { all } from '../../test/support/client.ts';

describe('failure', () => {
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
  ])('status %i is a failure of kind %s', (status, kind) => {
    expect(kindOf(status)).toBe(kind);
  });

  const message = (status: number, text: string, headers: Record<string, string> = {}) =>
    failure(get, { status, headers, url, body }, text).message;

  const rest = ',"more":"'.padEnd(2000, 'x');

  test.each([
    [`{"message":"too big"${rest}`, 'too big'],
    [`\n {"a":1, "message" : "too big"${rest}`, 'too big'],
    [`{"message":"a \\"b\\" c\\u00e9"${rest}`, 'a "b" cé'],
    [`{"message":""${rest}`, 'the service returned 400'],
    [`{"message":"cut off before its e`, 'the service returned 400'],
    [`{"message":5${rest}`, 'the service returned 400'],
    [`{"other":"x"${rest}`, 'the service returned 400'],
    [`["message":"too big"${rest}`, 'the service returned 400'],
  ])('uses the message of a truncated body: %.30s', (text, reason) => {
    expect(message(400, text)).toBe(`cannot view it: ${reason}`);
  });

  test.each<[Record<string, string>, string]>([
    [{}, ' (requires the scope read_builds)'],
    [{ 'x-oauth-scopes': 'graphql' }, ' (requires the scope read_builds)'],
    [{ 'x-oauth-scopes': 'graphql,  read_builds' }, ''],
    [{ 'x-oauth-scopes': 'read_builds graphql' }, ''],
    [{ 'x-oauth-scopes': 'read_builds_more' }, ' (requires the scope read_builds)'],
    [{ 'x-accepted-oauth-scopes': 'read_all' }, ' (requires the scope read_all)'],
    [{ 'x-accepted-oauth-scopes': '' }, ''],
  ])('forbids a call that has %j', (headers, needs) => {
    expect(message(403, '{"message":"Forbidden"}', headers)).toBe(
      `cannot view it: Forbidden${needs}`,
    );
  });

  test('names no scope if the call has none or the service names it', () => {
    const response = { status: 403, headers: {}, url, body };
    const bare: CallInfo = { method: 'GET', action: 'view it' };
    expect(failure(bare, response, '').message).toBe('cannot view it: the service returned 403');
    expect(message(403, 'no scope read_builds')).toBe('cannot view it: no scope read_builds');
  });

  test.each<[object, string, string | undefined]>([
    [{}, 'rate limit exceeded after all attempts', undefined],
    [
      { tooLong: 2001, totalWait: 2001 },
      'rate limit exceeded, and the requested wait of 3 s is longer than --max-wait',
      'add --max-wait 3s',
    ],
    [
      { tooLong: 2000, totalWait: 5000 },
      'rate limit exceeded, and the requested wait of 2 s more is longer than --max-wait',
      'add --max-wait 5s',
    ],
  ])('a rate limit with %j says how long to wait', (limits, reason, hint) => {
    const error = failure(get, { status: 429, headers: {}, url, body, ...limits }, '');
    expect(error).toMatchObject({ message: `cannot view it: ${reason}`, hint, details: [] });
  });

  test("shows the service's message once, and always to programs", () => {
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

  test('an error includes how long the service wants to wait', () => {
    const response = { status: 503, headers: {}, url, body };
    expect(failure(get, { ...response, retryAfter: 5000 }, '').retryAfter).toBe(5000);
    expect(failure(get, response, '').retryAfter).toBeUndefined();
  });
});

const org = { org: 'acme' };
const pipeline = { ...org, pipeline: 'web' };
const build = { ...pipeline, number: 7 };
const job = { ...build, job: 'j-1' };
const rule = { ...org, rule: 'r-1' };

/** The message for a 404 with this body. */
function explain(subject: Subject | undefined, body: string) {
  const response = {
    ...{ status: 404, headers: {}, url: new URL('http://ci.test/v2/x?y=1') },
    body: (async function* () {})(),
  };
  const call = { method: 'GET' as const, action: 'look', ...(subject && { subject }) };
  return explainNotFound(call, response, readErrorBody(body));
}
const says = (message: string): string => JSON.stringify({ message });

test.each<[Subject, string, string]>([
  [rule, 'rule r-1 was not found', 'cictl rules list --org acme'],
  [job, 'job j-1 was not found', 'cictl job list acme/web/7'],
  [build, 'build acme/web/7 was not found', 'cictl builds list acme/web'],
  [pipeline, 'pipeline acme/web was not found', 'cictl builds list --org acme --all-pipelines'],
  [org, 'organization acme was not found', 'cictl orgs list'],
])('says what is missing if the service does not: %j', (subject, ...words) => {
  const [reason, hint] = words;
  expect(explain(subject, says('Not Found'))).toMatchObject({ reason, hint });
  expect(explain(subject, says('not found.'))).toMatchObject({ reason, hint });
  expect(explain(subject, '{}')).toMatchObject({ reason, hint });
});

test.each<[Subject, string, string, string]>([
  [rule, 'No organization found', 'organization acme was not found', 'cictl orgs list'],
  [rule, 'no RULE found', 'rule r-1 was not found', 'cictl rules list --org acme'],
  [job, 'No build found', 'build acme/web/7 was not found', 'cictl builds list acme/web'],
  [job, 'No log found', 'log of job j-1 was not found', 'cictl job list acme/web/7'],
  [
    job,
    'No log found: the log file is missing',
    'log of job j-1 was not found: the log file is missing',
    'cictl job list acme/web/7',
  ],
])("the service's message takes precedence: for %j, %s", (subject, message, reason, hint) => {
  expect(explain(subject, says(message))).toMatchObject({ reason, hint });
});

test.each([
  ['It says: No build found', 'build acme/web/7 was not found (It says: No build found)'],
  ['No builder', 'build acme/web/7 was not found (No builder)'],
  ['Not found: here', 'build acme/web/7 was not found (Not found: here)'],
  ['It is not found', 'build acme/web/7 was not found (It is not found)'],
])('appends other messages of the service: %s', (message, reason) => {
  expect(explain(build, says(message))).toMatchObject({ reason });
});

test.each<[Subject | undefined, string, string]>([
  [undefined, '{}', 'http://ci.test has no /v2/x'],
  [undefined, says('Nothing here'), 'Nothing here'],
  [{}, says('Nothing here'), 'Nothing here'],
  [org, says('No pipeline found'), 'No pipeline found'],
  [pipeline, says('No build found'), 'No build found'],
  [build, says('No job found'), 'No job found'],
  [build, says('No log found'), 'No log found'],
])('an unnamed thing is not named: for %j, %s', (subject, body, reason) => {
  expect(explain(subject, body)).toEqual({ reason });
});

test('a page of another server suggests no command, but the URL', () => {
  expect(explain(build, '<html>nginx</html>')).toEqual({
    reason: 'build acme/web/7 was not found; http://ci.test may not be a CI service',
  });
});

test.each(['a b', 'a;rm', '$(x)', 'a/b'])(
  'suggests no command that contains the slug %s',
  (slug) => {
    expect(explain({ ...build, pipeline: slug }, '{}')).not.toHaveProperty('hint');
    expect(explain({ ...build, org: slug }, '{}')).not.toHaveProperty('hint');
  },
);

describe('to cictl error', () => {
  const get = { method: 'GET', action: 'view it' } as const;
  const put = { method: 'PUT', action: 'change it' } as const;
  const arrived = '; the request may have arrived, so it is not sent again';

  test.each([
    ['localhost', 'cannot reach http://localhost:3000: refused'],
    ['an address of IPv4', 'cannot reach http://127.0.0.1:3000: refused'],
    ['an address of IPv6', 'cannot reach http://[::1]:3000: refused'],
    ['TLS', 'cannot reach https://127.0.0.1:3000: refused'],
    ['the usual port', 'cannot reach http://localhost: refused'],
  ])('suggests starting a missing service on this machine: %s', (_, message) => {
    const error = toCictlError(get, new TransportError(message, 'no'));
    expect(error).toMatchObject({
      ...{ kind: 'unreachable', message: `cannot view it: ${message}`, hint: 'cictl local up' },
    });
  });

  test.each<[string, string, 'no' | 'maybe']>([
    ['another machine', 'cannot reach http://ci.test:3000: refused', 'no'],
    [
      'a name that begins like this machine',
      'cannot reach http://localhost.evil.test:3000: refused',
      'no',
    ],
    [
      'a proxy between',
      'cannot reach http://127.0.0.1:3000: refused (through the proxy http://p.test)',
      'no',
    ],
    ['a service that is there', 'cannot reach http://127.0.0.1:3000: reset', 'maybe'],
    ['another failure', 'no response from http://127.0.0.1:3000 within 1 s', 'no'],
    ['words around it', 'x cannot reach http://127.0.0.1:3000: refused', 'no'],
  ])('suggests starting nothing for %s', (_, message, reached) => {
    const error = toCictlError(get, new TransportError(message, reached));
    expect(error).toMatchObject({ kind: 'unreachable', hint: undefined });
  });

  test('only a change that may have arrived says so', () => {
    const text = (call: typeof get | typeof put, error: Error) => String(toCictlError(call, error));
    const lost = (reached: 'no' | 'maybe') => new TransportError('lost', reached);
    expect(text(put, lost('maybe'))).toMatch(`change it: lost${arrived}`);
    expect(text(put, lost('no'))).toMatch(/change it: lost$/);
    expect(text(get, lost('maybe'))).toMatch(/view it: lost$/);
    const odd = new InvalidResponseError('odd');
    expect(text(put, odd)).toMatch(`change it: odd${arrived}`);
    expect(text(get, odd)).toMatch(/view it: odd$/);
  });

  test('a malformed response, an unreachable service and an interrupt are different failures', () => {
    const parser = Object.assign(new Error('bad'), { name: 'HTTPParserError' });
    const interrupt = new CictlError('interrupted', 'interrupted');
    const kindOf = (error: Error) => (toCictlError(get, error) as CictlError).kind;
    expect(kindOf(new TransportError('odd', 'maybe', parser))).toBe('invalid_response');
    expect(kindOf(new TransportError('cut', 'maybe', interrupt))).toBe('interrupted');
    expect(kindOf(new TransportError('cut', 'maybe', new Error('x')))).toBe('unreachable');
  });

  test('keeps the cause of the error', () => {
    const cause = new TransportError('lost', 'no');
    expect(toCictlError(get, cause)).toMatchObject({ cause });
  });

  test('an unusable response suggests auth status', () => {
    expect(toCictlError(get, new InvalidResponseError('odd'))).toMatchObject({
      ...{ kind: 'invalid_response', message: 'cannot view it: odd', hint: 'cictl auth status' },
    });
  });

  test('passes on other errors unchanged', () => {
    const bug = new Error('bug');
    expect(toCictlError(get, bug)).toBe(bug);
  });

  test("a body that breaks off later fails with the call's message", async () => {
    async function* body() {
      yield await Promise.resolve(Buffer.from('a'));
      throw new TransportError('the response was interrupted', 'maybe');
    }
    const response = { status: 200, headers: { a: 'b' }, body: body() };
    const { body: read, ...rest } = withCictlErrors(response, get);
    expect(rest).toEqual({ status: 200, headers: { a: 'b' } });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const chunk of read) seen.push(Buffer.from(chunk).toString());
    })();
    await expect(reading).rejects.toMatchObject({
      ...{ kind: 'unreachable', message: 'cannot view it: the response was interrupted' },
    });
    expect(seen).toEqual(['a']);
    expect(await all(withCictlErrors({ ...response, body: chunks('b') }, get).body)).toHaveLength(
      1,
    );
  });

  async function* chunks(text: string) {
    yield await Promise.resolve(Buffer.from(text));
  }
});
