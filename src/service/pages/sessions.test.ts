import { expect, test } from 'vitest';
import { codeLife, createSessions, sessionLife } from './sessions.ts';

const user = { userId: 'u', tokenHash: undefined };

function setUp() {
  let now = 1_000_000;
  const sessions = createSessions(() => now);
  return { sessions, pass: (ms: number) => (now += ms) };
}

test('a code is good once', () => {
  const { sessions } = setUp();
  const code = sessions.createCode(user);
  expect(sessions.signIn(code)).toMatch(/^session_/);
  expect(sessions.signIn(code)).toBeUndefined();
});

test.each([
  [codeLife - 1, true],
  [codeLife, false],
])('after %d ms a code is good: %j', (ms, isGood) => {
  expect(codeLife).toBe(60_000);
  const { sessions, pass } = setUp();
  const code = sessions.createCode(user);
  pass(ms);
  // Another that is made in between removes what is too old, and no more.
  sessions.createCode(user);
  expect(sessions.signIn(code) !== undefined).toBe(isGood);
});

test.each([
  [sessionLife - 1, true],
  [sessionLife, false],
])('after %d ms a session goes on: %j', (ms, goesOn) => {
  expect(sessionLife).toBe(12 * 3600 * 1000);
  const { sessions, pass } = setUp();
  const secret = sessions.signIn(sessions.createCode(user)) ?? '';
  pass(ms);
  sessions.signIn(sessions.createCode(user));
  expect(sessions.find(secret) !== undefined).toBe(goesOn);
});

test('each has its own secret and form token, and is removed by itself', () => {
  const { sessions } = setUp();
  const [one = '', other = ''] = [1, 2].map(() => sessions.signIn(sessions.createCode(user)));
  expect(one).not.toBe(other);
  expect(sessions.find(one)?.formToken).not.toBe(sessions.find(other)?.formToken);
  sessions.remove(one);
  expect(sessions.find(one)).toBeUndefined();
  expect(sessions.find(other)).toMatchObject(user);
});

test.each(['', 'code_', 'session_'])('%j is no code and no session', (text) => {
  const { sessions } = setUp();
  sessions.createCode(user);
  expect(sessions.signIn(text)).toBeUndefined();
  expect(sessions.find(text)).toBeUndefined();
});
