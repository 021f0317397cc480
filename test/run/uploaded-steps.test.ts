/** Steps that a job uploads to its build, in addition to those of the file. */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { pipelineIn } from './pipelines.ts';

test.each([
  ['a step', 'steps: [{command: echo added, depends_on: first}]', 'added'],
  ['a group', 'steps: [{command: echo added, depends_on: tests}]', 'added'],
  ['nothing', 'steps: []', 'uploaded'],
])('%s of the build', async (_, added, printed) => {
  const home = await useHome();
  const yaml = `
steps:
  - {command: "echo first", key: first}
  - {group: Tests, key: tests, steps: [{command: "echo tested"}]}
  - command: "echo '${added}' | buildkite-agent pipeline upload && echo uploaded"
`;
  await pipelineIn(home, 'demo', yaml);
  const { stdout, exitCode } = await cictl(['run', 'demo'], { home });
  expect(exitCode, stdout).toBe(0);
  expect(stdout).toContain(`| ${printed}\n`);
});

test('evaluates if_changed of uploaded steps in the checkout', async () => {
  const home = await useHome();
  const yaml = `
steps:
  - command: "buildkite-agent pipeline upload more.yml"
`;
  const folder = await pipelineIn(home, 'demo', yaml);
  await writeFile(
    join(folder, 'more.yml'),
    'steps: [{command: echo never, if_changed: docs/**}, {command: echo added, if_changed: new}]',
  );
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder,
      env: home.env,
    });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'x');
  await writeFile(join(folder, 'new'), '');
  const { stdout, exitCode } = await cictl(['run', 'demo'], { home });
  expect(exitCode, stdout).toBe(0);
  expect(stdout).toContain('| added\n');
  expect(stdout).not.toContain('| never\n');
});
