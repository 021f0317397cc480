/** Two runs, or a run and `local up`, share the data directory and therefore one service. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { pipelineIn } from './pipelines.ts';
import { until } from './processes.ts';
import { shell } from './shell.ts';

const sleeper = (seconds: number): string => `steps: [{ command: 'sleep ${seconds}; echo slept' }]`;

test('two runs started at once both pass', async () => {
  const home = await useHome();
  await pipelineIn(home, 'short', sleeper(0.5));
  await pipelineIn(home, 'long', sleeper(2));
  const runs = ['short', 'long'].map((folder) => cictl(['run', folder], { home }));
  for (const { exitCode, stdout, stderr } of await Promise.all(runs)) {
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toContain('| slept\n');
  }
});

test('a run uses a running service and leaves it running', async () => {
  const home = await useHome();
  await pipelineIn(home, 'demo', sleeper(0));
  await cictl(['local', 'up'], { home });
  try {
    const { exitCode, stderr } = await cictl(['run', 'demo', '--jobs', '3'], { home });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('--jobs is ignored');
    const list = await cictl(['builds', 'list', '--fields', 'number,state'], { home });
    expect([list.exitCode, list.stdout]).toEqual([0, '1\tpassed\n']);
  } finally {
    await cictl(['local', 'down'], { home });
  }
});

test('the commands printed at the end continue a blocked build', async () => {
  const home = await useHome();
  await pipelineIn(home, 'demo', "steps: [{ block: Go? }, { command: 'touch after' }]");
  const { exitCode, stderr } = await cictl(['run', 'demo'], { home });
  expect(exitCode).toBe(4);
  const command = stderr.trim().replace(/^.*to unblock it: /, '');
  try {
    const { exitCode, stderr } = await shell(
      `cictl() { "$NODE" "$CICTL" "$@"; }; ${command}`,
      home,
    );
    expect(exitCode, stderr).toBe(0);
    await until(() => existsSync(join(home.cwd, 'demo', 'after')));
  } finally {
    await cictl(['local', 'down'], { home });
  }
});
