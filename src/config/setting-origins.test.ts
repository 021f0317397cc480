import { expect, test } from 'vitest';
import { isFromCurrentProfile, isFromFlag, loginHint } from './setting-origins.ts';

test.each([
  ['flag --org', true],
  ['CICTL_ORG', false],
  ['profile work', false],
  ['profile flag', false],
  ['git config cictl.org', false],
])('a setting from %s: %s', (source, expected) => {
  expect(isFromFlag({ sources: { org: source } }, 'org')).toBe(expected);
});

test('an unset setting comes from no flag', () => {
  expect(isFromFlag({ sources: {} }, 'org')).toBe(false);
});

test.each([
  ['work', 'CICTL_TOKEN', 'flag --profile', 'set CICTL_TOKEN to a valid token'],
  ['work', 'profile work', 'flag --profile', 'cictl auth login --profile work'],
  ['work', 'profile work', 'profile use', 'cictl auth login'],
  ['local', 'profile local', 'profile use', 'cictl local up'],
])('a rejected token of profile %s from %s, %s: %s', (profile, token, source, hint) => {
  expect(loginHint({ profile, sources: { token, profile: source } } as never)).toBe(hint);
});

test.each([
  ['profile use', 'profile work', true],
  ['CICTL_PROFILE', 'profile work', true],
  ['flag --profile', 'profile work', false],
  ['profile use', 'CICTL_ORG', false],
])('with the profile from %s, a setting from %s: %s', (profile, org, expected) => {
  const settings = { profile: 'work', sources: { profile, org } };
  expect(isFromCurrentProfile(settings, 'org')).toBe(expected);
});
