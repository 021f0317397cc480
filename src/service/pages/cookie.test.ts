import { expect, test } from 'vitest';
import { readSessionCookie, sessionCookie } from './cookie.ts';

test('it is for this service and its pages alone', () => {
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
])('%j carries %j', (header, secret) => {
  expect(readSessionCookie(8090, header)).toBe(secret);
});
