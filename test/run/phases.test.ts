/** Hooks, files and terminals in `cictl run`, with real processes. */
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { makeCheckout } from './checkout.ts';
import { pipelineIn } from './pipelines.ts';

/** Runs a pipeline with these files in its directory; returns the lines of its jobs. */
async function runWith(yaml: string, files: Readonly<Record<string, string>>, ...flags: string[]) {
  const home = await useHome();
  const folder = await pipelineIn(home, 'demo', yaml);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const { exitCode, stdout } = await cictl(['run', 'demo', ...flags], { home });
  const lines = stdout.split('\n').filter((line) => line.startsWith('a | '));
  return { exitCode, lines: lines.map((line) => line.slice(4)), stdout };
}

test('repository hooks run around the command, each with its header', async () => {
  const { exitCode, lines } = await runWith("steps: [{ label: a, command: 'echo $$FROM_HOOK' }]", {
    '.buildkite/hooks/pre-command': 'export FROM_HOOK=hello',
    '.buildkite/hooks/pre-exit': 'echo "status $BUILDKITE_COMMAND_EXIT_STATUS"',
  });
  expect(exitCode).toBe(0);
  expect(lines.filter((line) => !line.startsWith('$ '))).toEqual([
    ...['~~~ Running repository pre-command hook', '# FROM_HOOK added'],
    ...['~~~ Running commands', 'hello', '~~~ Running repository pre-exit hook', 'status 0'],
  ]);
});

test('a failing hook fails the job with its exit status', async () => {
  const { exitCode, stdout } = await runWith('steps: [{ label: a, command: "true" }]', {
    '.buildkite/hooks/post-command': 'exit 9',
  });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/\ta\tfailed\texit status 9\n/);
  expect(stdout).toContain('The repository post-command hook exited with status 9');
});

test('a command that names a file runs it', async () => {
  const { exitCode, lines } = await runWith('steps: [{ label: a, command: scripts/test.sh }]', {
    'scripts/test.sh': '#!/bin/sh\necho "ran $0"\n',
  });
  expect([exitCode, lines]).toEqual([
    0,
    ['~~~ Running script', '$ ./scripts/test.sh', 'ran ./scripts/test.sh'],
  ]);
});

test('a program sees a terminal of 160 columns', async () => {
  const { lines } = await runWith("steps: [{ label: a, command: '[ -t 1 ] && tput cols' }]", {});
  expect(lines.at(-1)).toBe('160');
});

test('a hook needs no execute bit, but a program does', async () => {
  const home = await useHome();
  const folder = await pipelineIn(home, 'demo', 'steps: [{ label: a, command: "true" }]');
  const hook = join(folder, '.buildkite/hooks/pre-command');
  await mkdir(join(hook, '..'), { recursive: true });
  await writeFile(hook, '#!/usr/bin/env node\n');
  await chmod(hook, 0o644);
  const { exitCode, stdout } = await cictl(['run', 'demo'], { home });
  expect(exitCode).toBe(1);
  expect(stdout).toContain(`pre-command hook is not executable; run: chmod +x ${hook}`);
});

test.each(['inplace', 'copy', 'worktree'])(
  'a checkout hook of the repository fills its own empty directory, with --workspace %s',
  async (workspace) => {
    const home = await useHome();
    const yaml = "steps: [{ label: a, command: 'ls; pwd >where' }]";
    const folder = await pipelineIn(home, 'demo', yaml);
    await mkdir(join(folder, '.buildkite/hooks'), { recursive: true });
    await writeFile(join(folder, '.buildkite/hooks/checkout'), 'ls -A; echo x >of-hook');
    await makeCheckout(folder, home);
    const args = ['run', 'demo', '--workspace', workspace];
    const { exitCode, stdout } = await cictl(args, { home });
    expect(exitCode, stdout).toBe(0);
    expect(stdout).toMatch(/hooks\/checkout\na \| ~~~ Running commands\n[^]*\na \| of-hook\n/);
    expect((await readdir(folder)).sort()).toEqual(['.buildkite', '.git', 'pipeline.yml']);
  },
);
