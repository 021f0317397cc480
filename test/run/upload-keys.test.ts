/** Steps that a job adds may depend on those that its build has already. */
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
