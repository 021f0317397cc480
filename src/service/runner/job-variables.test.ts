import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from '../../../test/support/job.ts';
import { secretsOf } from './job-variables.ts';

test("BUILDKITE_ENV_FILE has the job's own variables, only for its user, and is removed", async () => {
  const env = { MULTI: 'a\n"b\\\\"', UNI: 'ü🚨\u00a0\x1b', EMPTY: '' };
  const command =
    'stat -c %a "$BUILDKITE_ENV_FILE"; cat "$BUILDKITE_ENV_FILE"; echo "$BUILDKITE_ENV_FILE"';
  const { text } = await run(command, { env, hiddenEnv: { HIDDEN: 'x' } });
  const lines = text.trimEnd().split('\n');
  expect(lines.slice(0, -1)).toEqual([
    ...['600', 'BUILDKITE_COMMAND_EVAL', 'BUILDKITE_PLUGINS_ENABLED'],
    ...['BUILDKITE_LOCAL_HOOKS_ENABLED', 'BUILDKITE_SHELL'],
    ...[String.raw`MULTI="a\n\"b\\\\\""`, String.raw`UNI="ü🚨\u00a0\x1b"`, 'EMPTY=""'],
  ]);
  expect(existsSync(lines.at(-1) ?? '')).toBe(false);
});

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

test('short values count if given explicitly', () => {
  expect(secretsOf({ env: {}, hiddenEnv: {}, secrets: ['abc', ''] })).toEqual(['abc']);
});
