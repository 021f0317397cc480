/** A build of `cictl run` is like any other: other commands can read and change it meanwhile. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cictl, startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { pipelineIn } from './pipelines.ts';
import { until } from './processes.ts';

const yaml = `
steps:
  - label: work
    key: work
    env: { MINE: here }
    command: 'echo first line; cictl annotate "from the job"; touch began; until test -e go; do sleep 0.05; done; echo last line'
  - { label: flaky, key: flaky, depends_on: [], command: 'test -e mended' }
  - { input: Which?, key: which, depends_on: [], fields: [{ text: Version, key: version }] }
  - { label: after, key: after, depends_on: which, command: 'echo "got $(buildkite-agent meta-data get version)"' }
`;

/** A run whose first job waits for a file `go`, and concurrent commands. */
async function running() {
  const home = await useHome();
  const folder = await pipelineIn(home, 'demo', yaml);
  // A service that outlives the run, so that watchers see its end.
  await cictl(['local', 'up'], { home });
  onTestFinished(async () => {
    await cictl(['local', 'down'], { home });
  });
  const child = startCictl(['run', 'demo'], home);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await child;
  });
  await until(() => existsSync(join(folder, 'began')));
  const beside = (...args: readonly string[]) => cictl([...args, '--profile', 'local'], { home });
  const go = () => writeFile(join(folder, 'go'), '');
  const whole = async () => ({ exitCode: (await child).exitCode, output });
  return { folder, beside, go, whole };
}

test('watch, log, environment and annotations work', async () => {
  const { beside, go, whole } = await running();
  const env = await beside('job', 'env', 'demo/1#work', '--json');
  expect(env.stdout, env.stderr).toContain('"MINE":"here"');
  expect((await beside('annotations', 'list', 'demo/1')).stdout).toContain('default');
  const log = beside('job', 'log', 'demo/1#work', '--follow');
  const watch = beside('builds', 'watch', 'demo/1');
  await go();
  expect((await log).stdout).toMatch(/first line\n[^]*last line\n/);
  await whole();
  expect([1, 4]).toContain((await watch).exitCode);
});

test('a job is retried and an input filled in during the run', async () => {
  const { folder, beside, go, whole } = await running();
  await until(async () =>
    /failed/.test((await beside('job', 'list', 'demo/1', '--state', 'failed')).stdout),
  );
  await writeFile(join(folder, 'mended'), '');
  const retried = await beside('job', 'retry', 'demo/1#flaky');
  expect(retried.exitCode, retried.stderr).toBe(0);
  const unblocked = await beside('job', 'unblock', 'demo/1#which', '--field', 'version=v7');
  expect(unblocked.exitCode, unblocked.stderr).toBe(0);
  await go();
  const { exitCode, output } = await whole();
  expect(output).toContain('after | got v7\n');
  expect(output).toMatch(/\tflaky\tfailed\t[^]*\tflaky\tpassed\t/);
  expect(exitCode, output).toBe(0);
});

test('another command cancels it', async () => {
  const { beside, whole } = await running();
  expect((await beside('builds', 'cancel', 'demo/1', '--yes')).exitCode).toBe(0);
  const { exitCode, output } = await whole();
  expect(exitCode).toBe(3);
  expect(output).toMatch(/\twork\tcanceled\t/);
});
