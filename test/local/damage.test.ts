/** Malformed small files, too few file descriptors, a full disk: the service continues. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { until } from '../run/processes.ts';
import { cictl } from '../support/cli.ts';
import { useTmpfs } from '../support/tmpfs.ts';
import { useHome } from '../support/home.ts';
import { toolLine } from '../support/tool.ts';

async function useLocal() {
  const home = await useHome();
  const local = (...args: string[]) => cictl(['local', ...args], { home });
  onTestFinished(() => local('down').then(() => undefined));
  return { home, local };
}

test.each([
  ['half an object', 'service.json', '{"url": 5'],
  ['nothing', 'service.json', ''],
  ['other bytes', 'service.lock', 'no database '.repeat(1000)],
])('%s in %s does no harm', async (_, name, text) => {
  const { home, local } = await useLocal();
  await mkdir(home.dataDir, { recursive: true });
  await writeFile(join(home.dataDir, name), text);
  expect((await local('status')).exitCode).toBe(9);
  expect((await local('down')).exitCode).toBe(0);
  const { exitCode, stderr } = await local('up');
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('local service started')]);
  expect((await local('status')).exitCode).toBe(0);
});

test.runIf(process.platform === 'linux')(
  'without file descriptors, the service rejects clients and recovers',
  async () => {
    const { home, local } = await useLocal();
    await pipelineIn(home, 'demo', "steps: [{ command: 'echo fine' }]");
    const script = `ulimit -n 60; exec ${toolLine} local up --foreground`;
    const options = { env: home.env, extendEnv: false, reject: false, buffer: false } as const;
    const child = execa('bash', ['-c', script], options);
    await until(async () => (await local('status')).exitCode === 0);
    const state = await readFile(join(home.dataDir, 'service.json'), 'utf8');
    const { url } = JSON.parse(state) as { url: string };
    const sockets = Array.from({ length: 100 }, () => connectTo(Number(new URL(url).port)));
    await Promise.all(
      sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])),
    );
    for (const socket of sockets) socket.destroy();
    await until(async () => (await local('status')).exitCode === 0);
    expect((await cictl(['run', 'demo'], { home })).exitCode).toBe(0);
    await local('down');
    expect((await child).exitCode).toBe(0);
  },
);

const connectTo = (port: number): Socket => connect(port, '127.0.0.1').on('error', () => undefined);

test('on a full disk, space can be freed, and the service stopped and started', async (context) => {
  const { home, local } = await useLocal();
  useTmpfs(home.dataDir, '32m', context);
  await pipelineIn(home, 'demo', "steps: [{ command: 'seq 1000', key: one }]");
  const all = (...args: string[]) => cictl([...args, '--profile', 'local'], { home });
  await local('up');
  for (let n = 0; n < 3; n++) await all('run', 'demo');
  const filler = join(home.dataDir, 'filler');
  const script = `head -c 64M /dev/zero >> ${filler}`;
  const fill = () => execa('bash', ['-c', script], { reject: false });
  const commands = [
    ['builds', 'view', 'demo/1'],
    ['job', 'delete-log', 'demo/1#one', '--yes'],
    ['local', 'prune', '--keep', '1'],
    ['local', 'down'],
    ['local', 'up'],
    ['builds', 'view', 'demo/3'],
  ];
  for (const words of commands) {
    await fill();
    const { exitCode, stderr } = await all(...words);
    expect([words.join(' '), exitCode, stderr]).toEqual([words.join(' '), 0, expect.anything()]);
  }
  await rm(filler);
  const reserve = join(home.dataDir, 'service.reserve');
  await until(async () => existsSync(reserve) && (await stat(reserve)).size > 4e6);
});
