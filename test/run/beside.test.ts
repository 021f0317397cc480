/** Another process that watches a run sees its end, although the service stops with the run. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cictl, startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { pipelineIn } from './pipelines.ts';
import { until } from './processes.ts';

const yaml = `
steps:
  - label: work
    command: 'touch began; echo first line; until test -e go; do sleep 0.05; done; echo last line; exit 3'
`;

/** A run with the service in its own process, and commands started with flags or variables. */
async function running() {
  const home = await useHome();
  const folder = await pipelineIn(home, 'demo', yaml);
  // Only the profile is left: its token and URL now belong to the next service.
  await cictl(['local', 'up'], { home });
  await cictl(['local', 'down'], { home });
  // The job of the killed run continues.
  onTestFinished(() => cictl(['local', 'down'], { home }).then(() => undefined));
  const run = startCictl(['run', 'demo'], home);
  const stop = async (child: typeof run): Promise<void> => {
    child.kill('SIGKILL');
    await child;
  };
  onTestFinished(() => stop(run));
  await until(() => existsSync(join(folder, 'began')));
  const byAddress = async (): Promise<Record<string, string>> => {
    const state = await readFile(join(home.dataDir, 'service.json'), 'utf8');
    const { url, token } = JSON.parse(state) as { url: string; token: string };
    return { CICTL_BASE_URL: url, CICTL_TOKEN: token, CICTL_ORG: 'local' };
  };
  const beside = (args: readonly string[], env?: Readonly<Record<string, string>>) => {
    const profile = env === undefined ? ['--profile', 'local'] : [];
    const child = startCictl([...args, ...profile], home, { ...(env && { env }) });
    onTestFinished(() => stop(child));
    let output = '';
    const add = (chunk: Buffer): string => (output += chunk.toString());
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    return { child, output: () => output };
  };
  return { folder, run, beside, byAddress };
}

test('watch and log --follow see the end and exit with its code', async () => {
  const { folder, run, beside } = await running();
  const watch = beside(['builds', 'watch', 'demo/1']);
  const log = beside(['job', 'log', 'demo/1#work', '--follow']);
  await until(() => watch.output().includes('running') && log.output().includes('first line'));
  await writeFile(join(folder, 'go'), '');
  expect((await watch.child).exitCode).toBe(1);
  expect((await log.child).exitCode).toBe(1);
  expect(watch.output()).toMatch(/\twork\tfailed\texit status 3\n/);
  expect(log.output()).toContain('last line\n');
  expect((await run).exitCode).toBe(1);
});

test.each(['profile', 'address'])(
  'watching a killed run ends soon and says how to restart the service: by %s',
  async (way) => {
    const { run, beside, byAddress } = await running();
    const env = way === 'address' ? await byAddress() : undefined;
    const watch = beside(['builds', 'watch', 'demo/1'], env);
    await until(() => watch.output().includes('running'));
    run.kill('SIGKILL');
    const { exitCode } = await watch.child;
    expect(exitCode, watch.output()).toBe(9);
    expect(watch.output()).toContain('try: cictl local up');
  },
);
