import { expect, test } from 'vitest';
import { isFromFlag } from './setting-origins.ts';

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
