import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from '../../../test/support/job.ts';

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
