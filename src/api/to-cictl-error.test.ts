import { expect, test } from 'vitest';
import { CictlError } from '../errors.ts';
import { InvalidResponseError } from '../http/invalid-response-error.ts';
import { TransportError } from '../http/transport.ts';
import { all } from '../../test/support/client.ts';
import { toCictlError, withCictlErrors } from './to-cictl-error.ts';

const get = { method: 'GET', action: 'view it' } as const;
const put = { method: 'PUT', action: 'change it' } as const;
const arrived = '; it may have arrived, and is not sent again';

test.each([
  ['localhost', 'cannot reach http://localhost:3000: refused'],
  ['an address of IPv4', 'cannot reach http://127.0.0.1:3000: refused'],
  ['an address of IPv6', 'cannot reach http://[::1]:3000: refused'],
  ['TLS', 'cannot reach https://127.0.0.1:3000: refused'],
  ['the usual port', 'cannot reach http://localhost: refused'],
])('a service on this machine that is not there may be started: %s', (_, message) => {
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
  ['another failure', 'no answer from http://127.0.0.1:3000 within 1 s', 'no'],
  ['words around it', 'x cannot reach http://127.0.0.1:3000: refused', 'no'],
])('nothing is to be started for %s', (_, message, reached) => {
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

test('an odd answer, a service out of reach and an interrupt are different failures', () => {
  const parser = Object.assign(new Error('bad'), { name: 'HTTPParserError' });
  const interrupt = new CictlError('interrupted', 'interrupted');
  const kindOf = (error: Error) => (toCictlError(get, error) as CictlError).kind;
  expect(kindOf(new TransportError('odd', 'maybe', parser))).toBe('invalid_response');
  expect(kindOf(new TransportError('cut', 'maybe', interrupt))).toBe('interrupted');
  expect(kindOf(new TransportError('cut', 'maybe', new Error('x')))).toBe('unreachable');
});

test('the cause stays with the error', () => {
  const cause = new TransportError('lost', 'no');
  expect(toCictlError(get, cause)).toMatchObject({ cause });
});

test('a response that cannot be used leads to the status of the login', () => {
  expect(toCictlError(get, new InvalidResponseError('odd'))).toMatchObject({
    ...{ kind: 'invalid_response', message: 'cannot view it: odd', hint: 'cictl auth status' },
  });
});

test('what is no failure of the network is passed on as it is', () => {
  const bug = new Error('bug');
  expect(toCictlError(get, bug)).toBe(bug);
});

test('a body that breaks off later fails in the words of its call', async () => {
  async function* body() {
    yield await Promise.resolve(Buffer.from('a'));
    throw new TransportError('the answer broke off', 'maybe');
  }
  const response = { status: 200, headers: { a: 'b' }, body: body() };
  const { body: read, ...rest } = withCictlErrors(response, get);
  expect(rest).toEqual({ status: 200, headers: { a: 'b' } });
  const seen: string[] = [];
  const reading = (async () => {
    for await (const chunk of read) seen.push(Buffer.from(chunk).toString());
  })();
  await expect(reading).rejects.toMatchObject({
    ...{ kind: 'unreachable', message: 'cannot view it: the answer broke off' },
  });
  expect(seen).toEqual(['a']);
  expect(await all(withCictlErrors({ ...response, body: chunks('b') }, get).body)).toHaveLength(1);
});

async function* chunks(text: string) {
  yield await Promise.resolve(Buffer.from(text));
}
