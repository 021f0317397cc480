import { expect, test } from 'vitest';
import { secretsOf } from './secrets.ts';

test.each([
  ['A_TOKEN', 'abcdef', ['abcdef']],
  ['A_SECRET', 'abcdef', ['abcdef']],
  ['A_PASSWORD', 'abcdef', ['abcdef']],
  ['deploy_key', 'abcdef', ['abcdef']],
  ['A_KEY', 'ключ', ['ключ']],
  ['A_KEY', 'line\n', []],
  ['A_KEY', '-----\nkey\n', ['-----\nkey']],
  ['A_TOKEN', 'abcde', []],
  ['DB_PASSWD', 'abcdef', ['abcdef']],
  ['TOKENS', 'abcdef', ['abcdef']],
  ['A_TOKEN_FILE', 'abcdef', ['abcdef']],
  ['MONKEY', 'abcdef', []],
  ['BUILDKITE_STEP_KEY', 'unit-tests', []],
  ['BUILDKITE_GROUP_KEY', 'all-tests', []],
])('%s=%j', (name, value, expected) => {
  const spec = { env: { [name]: value }, hiddenEnv: {}, secrets: [] };
  expect(secretsOf(spec)).toEqual(expected);
  expect(secretsOf({ ...spec, env: {}, hiddenEnv: spec.env })).toEqual(expected);
});

test('values that are given count whatever their length', () => {
  expect(secretsOf({ env: {}, hiddenEnv: {}, secrets: ['abc', ''] })).toEqual(['abc']);
});
