import { expect, test } from 'vitest';
import { credential } from './send-request.ts';

test('a token is sent with the scheme for its kind', () => {
  expect(credential('Bearer', 'abc')).toBe('Bearer abc');
  expect(credential('Token', 'abc')).toBe('Token abc');
});

test.each([
  ['Bearer', 'no access token', 'cictl auth login, or cictl local up'],
  ['Token', 'no agent registration token', 'cictl auth login --agent, or cictl local up'],
] as const)('without a token for %s, suggests logging in', (scheme, message, hint) => {
  const expected: unknown = expect.objectContaining({ kind: 'auth', message, hint });
  expect(() => credential(scheme, undefined)).toThrow(expected);
  expect(() => credential(scheme, '')).toThrow(expected);
});

test.each([
  ['Bearer', 'invalid access token: it must be a single line of printable ASCII'],
  ['Token', 'invalid agent registration token: it must be a single line of printable ASCII'],
] as const)('does not repeat a token for %s that cannot be sent', (scheme, message) => {
  expect(() => credential(scheme, 'se\ncret')).toThrow(
    expect.objectContaining({ kind: 'usage', message }),
  );
});
