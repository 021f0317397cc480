/** The built-in service reuses its last port, so that URLs stay valid. */
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { cictl } from '../support/cli.ts';
import { freePort, isFree } from '../support/free-port.ts';
import { useHome } from '../support/home.ts';

async function useLocal() {
  const home = await useHome();
  onTestFinished(() => cictl(['local', 'down'], { home }).then(() => undefined));
  const local = async (...args: string[]) => {
    const { stdout, stderr, exitCode } = await cictl(['local', ...args], { home });
    expect(exitCode, stderr).toBe(0);
    return stdout.trim();
  };
  return { home, local };
}

const portOf = (url: string): number => Number(new URL(url).port);

/** Another program that listens on the port. */
async function takePort(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((listening) => server.once('listening', listening));
}

/** Another program may have taken a port that was chosen by the system. */
async function expectAgain(again: string, first: string): Promise<void> {
  if (again !== first) expect([again, await isFree(portOf(first))]).toEqual([again, false]);
}

test('is the same after down and up', async () => {
  const { local } = await useLocal();
  const first = await local('up');
  await local('down');
  await expectAgain(await local('up'), first);
});

test('changes if it is taken', async () => {
  const { local } = await useLocal();
  const first = await local('up', '--port', String(await freePort()));
  await local('down');
  await takePort(portOf(first));
  const second = await local('up');
  expect(second).not.toBe(first);
  await local('down');
  await expectAgain(await local('up'), second);
});

test('is the one given by --port, and stays', async () => {
  const { local } = await useLocal();
  await local('up');
  await local('down');
  const port = await freePort();
  expect(portOf(await local('up', '--port', String(port)))).toBe(port);
  await local('down');
  expect(portOf(await local('up'))).toBe(port);
});

test('is known to services that a run or another command opens', async () => {
  const { home, local } = await useLocal();
  const folder = await pipelineIn(home, 'demo', "steps: [{ command: 'true' }]");
  await local('pipeline', 'add', folder);
  const [pipeline] = JSON.parse(await local('pipeline', 'list', '--json')) as { web_url: string }[];
  const ran = await cictl(['run', 'demo', '--json'], { home });
  expect(ran.stdout).toContain(`http://127.0.0.1:${portOf(pipeline?.web_url ?? '')}/`);
  await expectAgain(await local('up'), new URL(pipeline?.web_url ?? '').origin);
});
