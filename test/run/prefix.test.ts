/** The prefix of each log line in the output of `cictl run`. */
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { logLines } from './output.ts';
import { pipelineIn } from './pipelines.ts';

test('does not repeat a step without a label before each line', async () => {
  const home = await useHome();
  const command = 'for i in 1 2 3; do echo line $$i of a long command; done';
  await pipelineIn(home, 'demo', `steps: [{ command: '${command}' }]`);
  const { stdout } = await cictl(['run', 'demo'], { home });
  expect(logLines(stdout)).toEqual(
    [1, 2, 3].map((at) => `for i in 1 2 3; do… | line ${at} of a long command`),
  );
});

/** The lines of a run of these steps: `job`, name, state and note, without times. */
async function jobLines(steps: string): Promise<string[][]> {
  const home = await useHome();
  await pipelineIn(home, 'demo', `steps:\n${steps}`);
  const { stdout } = await cictl(['run', 'demo', '--jobs', '1'], { home });
  const cells = stdout.split('\n').map((line) => line.split('\t').slice(1));
  return cells.filter(([kind]) => kind === 'job').map((line) => line.slice(1));
}

test('a step with only plugins has their names', async () => {
  const lines = await jobLines(`  - plugins: ['./one', { './two-buildkite-plugin': { a: 1 } }]`);
  // Once or twice: a job may start and finish between two polls.
  expect(new Set(lines.map(([name]) => name))).toEqual(new Set(['one, two']));
});

test('shows a command of several lines as one line between logs', async () => {
  const lines = await jobLines(`  - command: [echo one, echo two]
  - command: [echo one, echo three]`);
  expect(new Set(lines.map(([name]) => name))).toEqual(new Set(['echo one', 'echo one (2)']));
});

test('excluded steps show the reason', async () => {
  const lines = await jobLines(`  - { label: a, command: x, if: 'build.branch == "nowhere"' }
  - { label: b, command: x, skip: not today }
  - { label: c, command: 'true' }`);
  expect(lines).toContainEqual(['a', 'broken', 'if: build.branch == "nowhere"']);
  expect(lines).toContainEqual(['b', 'skipped', 'not today']);
  expect(lines).toContainEqual(['c', 'passed', '']);
});
