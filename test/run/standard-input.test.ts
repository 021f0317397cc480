/** `cictl run -` reads the pipeline from standard input. */
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { toolLine } from '../support/tool.ts';
import { timeLimit } from '../support/time-limit.ts';

test('runs a pipeline from standard input in this directory', async () => {
  const home = await useHome();
  const stdin = `steps: [{ label: p, command: 'echo at $$PWD' }]`;
  const { stdout, stderr, exitCode } = await cictl(['run', '-'], { home, stdin });
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toContain(`p | at ${home.cwd}\n`);
});

test('--plan reads it too', async () => {
  const stdin = 'steps: [{ command: "true", label: p }]';
  const { stdout, exitCode } = await cictl(['run', '--plan', '-', '--fields', 'label'], { stdin });
  expect([exitCode, stdout]).toEqual([0, 'p\n']);
});

test.each([
  ['', 'the pipeline on standard input is empty'],
  ['steps:\n  - comand: ls\n', 'standard input:2:5'],
])('%j exits with 2', async (stdin, why) => {
  const { stdout, stderr, exitCode } = await cictl(['run', '-'], { stdin });
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(why);
});

test('limits endless input', async () => {
  const home = await useHome();
  const line = `yes '- command: x' | ${toolLine} run -`;
  const { exitCode, stderr } = await execa('bash', ['-c', line], {
    ...{ cwd: home.cwd, env: home.env, extendEnv: false, reject: false, timeout: timeLimit },
  });
  expect(exitCode, stderr).toBe(2);
});
