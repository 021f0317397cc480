/** Real runs of the example, whose rows and tests do not match. */
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { execa } from 'execa';
import { expect, test } from 'vitest';

const cwd = join(import.meta.dirname, '../..');
const config = 'test/rows/example/vitest.config.ts';
const vitest = 'node_modules/vitest/vitest.mjs';

async function run(...args: string[]) {
  const { exitCode, stdout, stderr } = await execa(
    execPath,
    [vitest, 'run', '--config', config, ...args],
    { cwd, env: { PATH: env['PATH'], NO_COLOR: '1' }, extendEnv: false, reject: false },
  );
  return { exitCode, text: stdout + stderr };
}

test('a run fails only for skipped tests, missing tests and missing rows', async () => {
  const { exitCode, text } = await run();
  expect(exitCode).toBe(1);
  const problems = [...text.matchAll(/^\+ +"(.*)",$/gm)].map(([, line]) => line);
  expect(problems).toEqual([
    'Example, tests skipped: no such test ran: test/rows/example/tests.case.ts: skipped',
    'Example, tests never written: no such test ran: test/rows/example/tests.case.ts: never written',
    'Example, skipped the only one: no such test ran: test/rows/example/skipped.case.ts: the only one',
    'test/rows/example/tests.case.ts: without a row: this test has no row',
  ]);
});

test.each([
  ['some names', ['-t', 'held'], 0, 'skipped'],
  ['some files', ['skipped.case', 'rows.last'], 1, 'the only one'],
  ['a worker alone', ['--maxWorkers=1', 'tests.case', 'rows.last'], 1, 'never written'],
])('a run of %s covers these', async (_, args, code, text) => {
  const result = await run(...args);
  expect(result.text).toContain(text);
  expect(result.exitCode).toBe(code);
});
