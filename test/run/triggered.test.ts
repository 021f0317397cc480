/** A run whose triggered build is blocked. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { pipelineIn } from './pipelines.ts';
import { until } from './processes.ts';

const steps = `
steps:
  - { trigger: deploy, label: Deploy }
  - wait
  - { label: after, key: after, command: echo after }
`;

/** `demo` triggers `deploy`, which starts with a block step. */
async function scene() {
  const home = await useHome();
  const folder = join(home.cwd, 'deploy');
  await mkdir(folder);
  const gated = 'steps: [{ block: Sure? }, { command: echo shipped }]';
  await writeFile(join(folder, 'pipeline.yml'), gated);
  await pipelineIn(home, 'demo', steps);
  onTestFinished(async () => {
    await cictl(['local', 'down'], { home });
  });
  await cictl(['local', 'pipeline', 'add', 'deploy'], { home });
  return home;
}

test('says what to unblock and ends, and both builds continue afterwards', async () => {
  const home = await scene();
  const { exitCode, stderr, stdout } = await cictl(['run', 'demo'], { home });
  expect(exitCode, stdout).toBe(4);
  const [, job] =
    /"Sure\?" is blocked; to unblock it: .*cictl job unblock (deploy\/1#\S+) /.exec(stderr) ?? [];
  await cictl(['local', 'up'], { home });
  const beside = (...args: readonly string[]) => cictl([...args, '--profile', 'local'], { home });
  expect((await beside('job', 'unblock', job ?? '')).exitCode).toBe(0);
  const state = ['builds', 'view', 'demo/1', '--jq', '.state'];
  await until(async () => (await beside(...state)).stdout.includes('passed'));
  expect((await beside('job', 'log', 'demo/1#after')).stdout).toContain('after');
});

test.skipIf(!hasTerminal)('prompts on a terminal, and continues', async () => {
  const keys = [{ after: /"Sure\?" is blocked.*Unblock it\?.* /, type: 'y\r' }];
  const { exitCode, screen } = await cictlInTerminal(['run', 'demo'], {
    home: await scene(),
    keys,
  });
  expect(exitCode, screen).toBe(0);
  expect(screen).toMatch(/✓ passed.*after/);
});
