import { expect, test } from 'vitest';
import { isFromFlag } from './is-from-flag.ts';

test.each([
  ['flag --org', true],
  ['CICTL_ORG', false],
  ['profile work', false],
  ['profile flag', false],
  ['git config cictl.org', false],
])('a setting from %s: %s', (source, expected) => {
  expect(isFromFlag({ sources: { org: source } }, 'org')).toBe(expected);
});

test('a setting that nothing gave is from no flag', () => {
  expect(isFromFlag({ sources: {} }, 'org')).toBe(false);
});
