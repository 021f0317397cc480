/**
 * Everything that a pipeline needs and that is missing is reported at once before anything runs.
 */
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { pipelineIn } from './pipelines.ts';

const yaml = `
steps:
  - trigger: deploy
  - trigger: announce
    async: true
  - { command: touch ran, secrets: [FOO] }
`;

const run = (home: Home, ...args: string[]) => cictl(['run', 'demo', ...args], { home });

test('lists missing pipelines and secrets, one per line', async () => {
  const home = await useHome();
  await pipelineIn(home, 'demo', yaml);
  const { stdout, stderr, exitCode } = await run(home);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr.trimEnd().split('\n')).toEqual([
    'cictl: the pipeline file demo/pipeline.yml has 3 problems',
    expect.stringMatching(/^The step on line 6 needs the secret FOO/),
    expect.stringMatching(/^The trigger on line 3 cannot run: pipeline deploy does not exist here/),
    expect.stringMatching(
      /^The trigger on line 4 cannot run: pipeline announce does not exist here/,
    ),
  ]);
});

test('a single missing one is one line, as JSON too', async () => {
  const home = await useHome();
  await pipelineIn(home, 'demo', 'steps: [{ trigger: deploy }]');
  const { stderr, exitCode } = await run(home, '--json');
  const { error } = JSON.parse(stderr) as { error: { message: string; details: string[] } };
  expect([exitCode, error.details]).toEqual([2, []]);
  expect(error.message).toMatch(
    /^The trigger on line 1 cannot run: pipeline deploy does not exist/,
  );
});
