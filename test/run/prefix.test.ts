/** What stands before each line of a log in the output of `cictl run`. */
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { pipelineIn } from './pipelines.ts';

test('a step without a label is not repeated before each of its lines', async () => {
  const home = await useHome();
  const command = 'for i in 1 2 3; do echo line $$i of a long command; done';
  await pipelineIn(home, 'demo', `steps: [{ command: '${command}' }]`);
  const { stdout } = await cictl(['run', 'demo'], { home });
  const lines = stdout.split('\n').filter((line) => line.includes(' | '));
  expect(lines).toEqual(
    [1, 2, 3].map((at) => `for i in 1 2 3; do… | line ${at} of a long command`),
  );
});
