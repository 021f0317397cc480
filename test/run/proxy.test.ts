/** A proxy is only used for other machines. */
import { expect, onTestFinished, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { pipelineIn } from './pipelines.ts';

test("reaches the built-in service without the environment's proxy", async () => {
  const home = await useHome();
  onTestFinished(() => cictl(['local', 'down'], { home }).then(() => undefined));
  const behindProxy = (...args: string[]) =>
    cictl(args, { home, env: { HTTP_PROXY: 'http://127.0.0.1:9' } });
  await pipelineIn(home, 'demo', 'steps: [{ command: "true" }]');

  const run = await behindProxy('run', 'demo');
  expect(run.exitCode, run.stderr).toBe(0);
  await behindProxy('local', 'up');
  const list = await behindProxy('builds', 'list', '--profile', 'local', '--fields', 'state');
  expect(list).toMatchObject({ exitCode: 0, stdout: 'passed\n' });
});

test('reports profile local of a never started service as a stopped service', async () => {
  const home = await useHome();
  expect(await cictl(['builds', 'list', '--profile', 'local'], { home })).toMatchObject({
    exitCode: 9,
    stderr:
      'cictl: profile local does not exist yet: the local service has not been started yet\n  try: cictl local up\n',
  });
});
