/** Users who watch jobs see which missing agent the jobs wait for. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { startCictl } from '../support/cli.ts';
import { useService, type TestService } from '../support/service.ts';
import { register, takeJob, useBuild } from './faults-agent.ts';

const gpu = { name: 'gpu-1', meta_data: ['queue=gpu'] };
const steps =
  '[{ label: one, command: a, agents: { queue: gpu } }, { label: two, command: b, agents: { queue: gpu } }]';

/** The running tool: its output so far and its exit. */
function begin({ home }: TestService, args: readonly string[]) {
  const env = { CICTL_DATA_DIR: join(home.root, 'service') };
  const child = startCictl(args, home, { env });
  let printed = '';
  child.stdout.on('data', (part: Buffer) => (printed += part.toString()));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { printed: () => printed, end: child };
}

test('a watch shows the missing tags, and continues when an agent has them', async () => {
  const { service } = await useBuild([
    { command: 'true', label: 'train', agents: { queue: 'gpu' } },
  ]);
  const watch = begin(service, ['builds', 'watch', 'p/1']);
  await expect.poll(watch.printed).toContain('job\ttrain\tscheduled\tno agent has queue=gpu\n');
  await (await takeJob(await register(service, gpu))).finish();
  expect((await watch.end).exitCode).toBe(0);
});

test('a run shows them too when the last agent disconnects', async () => {
  const service = await useService({ slots: 0 });
  await pipelineIn(service.home, 'demo', `steps: ${steps}`);
  const first = await register(service, gpu);
  const run = begin(service, ['run', 'demo', '--agents']);
  await takeJob(first);
  await expect.poll(run.printed).toContain('job\tone\trunning\t\n');
  expect(run.printed()).not.toContain('no agent has');
  await first.call('POST', '/disconnect');
  await expect.poll(run.printed).toContain('job\ttwo\tscheduled\tno agent has queue=gpu\n');
  await (await takeJob(await register(service, gpu))).finish();
  expect((await run.end).exitCode).toBe(1);
});
