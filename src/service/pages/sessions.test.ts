import { expect, test } from 'vitest';
import {
  codeLife,
  createSessions,
  sessionLife,
  readSessionCookie,
  sessionCookie,
  createStreamLimit,
  withinSession,
} from './sessions.ts';

const user = { userId: 'u', tokenHash: undefined };

function setUp() {
  let now = 1_000_000;
  const sessions = createSessions(() => now);
  return { sessions, pass: (ms: number) => (now += ms) };
}

test('a code works once', () => {
  const { sessions } = setUp();
  const code = sessions.createCode(user);
  expect(sessions.signIn(code)).toMatch(/^session_/);
  expect(sessions.signIn(code)).toBeUndefined();
});

test.each([
  [codeLife - 1, true],
  [codeLife, false],
])('after %d ms, the code is valid: %j', (ms, isGood) => {
  expect(codeLife).toBe(60_000);
  const { sessions, pass } = setUp();
  const code = sessions.createCode(user);
  pass(ms);
  // Creating another one in between only removes expired ones.
  sessions.createCode(user);
  expect(sessions.signIn(code) !== undefined).toBe(isGood);
});

test.each([
  [sessionLife - 1, true],
  [sessionLife, false],
])('after %d ms, the session is valid: %j', (ms, goesOn) => {
  expect(sessionLife).toBe(12 * 3600 * 1000);
  const { sessions, pass } = setUp();
  const secret = sessions.signIn(sessions.createCode(user)) ?? '';
  pass(ms);
  sessions.signIn(sessions.createCode(user));
  expect(sessions.find(secret) !== undefined).toBe(goesOn);
});

test('each session has its own secret and form token, and is removed separately', () => {
  const { sessions } = setUp();
  const [one = '', other = ''] = [1, 2].map(() => sessions.signIn(sessions.createCode(user)));
  expect(one).not.toBe(other);
  expect(sessions.find(one)?.formToken).not.toBe(sessions.find(other)?.formToken);
  sessions.remove(one);
  expect(sessions.find(one)).toBeUndefined();
  expect(sessions.find(other)).toMatchObject(user);
});

test.each(['', 'code_', 'session_'])('%j is neither a code nor a session', (text) => {
  const { sessions } = setUp();
  sessions.createCode(user);
  expect(sessions.signIn(text)).toBeUndefined();
  expect(sessions.find(text)).toBeUndefined();
});

test("the cookie is limited to the service's pages", () => {
  expect(sessionCookie(8090, 'session_x', 60)).toBe(
    'cictl_session_8090=session_x; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
  );
});

test.each([
  ['cictl_session_8090=a', 'a'],
  ['x=1; cictl_session_8090=a; y=2', 'a'],
  ['cictl_session_8091=b; cictl_session_8090=a', 'a'],
  ['cictl_session_8091=b', undefined],
  ['xcictl_session_8090=b', undefined],
  ['', undefined],
  [undefined, undefined],
])('%j contains the session %j', (header, secret) => {
  expect(readSessionCookie(8090, header)).toBe(secret);
});

test('a stream ends with its session and releases its source', async () => {
  let isOver = false;
  let isClosed = false;
  async function* pieces() {
    try {
      for (;;) yield await Promise.resolve(Buffer.from('piece'));
    } finally {
      isClosed = true;
    }
  }
  const response = {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: pieces(),
  };
  const session = { formToken: 'form_1', isOver: () => isOver };
  const { headers, body } = withinSession(response, session);
  expect(headers).toEqual({ 'content-type': 'text/event-stream', 'form-token': 'form_1' });
  const read: unknown[] = [];
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    read.push(piece);
    isOver = read.length === 2;
  }
  expect([read.length, isClosed]).toEqual([2, true]);
});

test.each([null, 'text', Buffer.from('bytes')])('leaves a complete value unchanged: %j', (body) => {
  const response = { status: 200, headers: {}, body };
  expect(withinSession(response, { formToken: 'form_1', isOver: () => true })).toBe(response);
});

test('limits event streams per session and in total', () => {
  const limit = createStreamLimit(2, 3);
  const { signal } = new AbortController();
  const [one, two] = [{}, {}];
  const left = new AbortController();
  const leave = limit.take(one, signal);
  limit.take(one, left.signal);
  expect(() => limit.take(one, signal)).toThrow('Too many pages');
  limit.take(two, signal);
  expect(() => limit.take(two, signal)).toThrow('Too many pages');
  left.abort();
  leave();
  leave();
  limit.take(one, signal);
  limit.take(two, signal);
  expect(() => limit.take({}, signal)).toThrow('Too many pages');
});
