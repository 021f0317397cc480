/** `local down`: what it waits for, and a service that does not stop by itself. */
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../src/common/clock.ts';
import { stopService } from '../../src/service/daemon/stop.ts';
import { lockFolder } from '../../src/service/store/lock.ts';
import { isRunning, startOf, withMark } from '../../src/service/runner/processes.ts';
import { pipelineIn } from '../run/pipelines.ts';
import { ownSleep, processesWith, until } from '../run/processes.ts';
import { freePort } from '../support/free-port.ts';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';

const isLinux = process.platform === 'linux';

async function useLocal() {
  const home = await useHome();
  const local = (...args: string[]) => cictl(['local', ...args], { home });
  onTestFinished(() => local('down').then(() => undefined));
  return { home, local };
}

const stateOf = async ({ dataDir }: Home) =>
  JSON.parse(await readFile(join(dataDir, 'service.json'), 'utf8')) as { pid: number; url: string };

/** A clock without waits, so that a process hardly gets any time for each of them. */
function hurriedClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    async sleep(ms) {
      now += ms;
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
  };
}

test('down returns once the process, its port and its lock are gone', async () => {
  const { home, local } = await useLocal();
  await local('up', '--port', String(await freePort()));
  const { pid, url } = await stateOf(home);
  await local('down');
  expect(isRunning(pid)).toBe(false);
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect((await local('up', '--port', new URL(url).port)).exitCode).toBe(0);
});

test.runIf(isLinux)('kills a hung service and its jobs', async () => {
  const { home, local } = await useLocal();
  const mark = ownSleep('7221.');
  await pipelineIn(home, 'demo', `steps: [{ command: 'env -i setsid ${mark} & ${mark}' }]`);
  await local('up');
  await local('pipeline', 'add', 'demo');
  await cictl(['builds', 'create', '-p', 'demo', '-c', 'HEAD', '-b', 'main', '-m', 'm'], { home });
  await until(async () => (await processesWith(mark)).length >= 2);
  const { pid } = await stateOf(home);
  process.kill(pid, 'SIGSTOP');
  const { dataDir } = home;
  expect(await stopService({ dataDir, clock: hurriedClock(), timeout: 100 })).toBe(true);
  expect(isRunning(pid)).toBe(false);
  expect(await processesWith(mark)).toEqual([]);
  expect((await local('status')).exitCode).toBe(9);
  expect((await local('up')).exitCode).toBe(0);
});

test.runIf(isLinux)('kills jobs once all threads of the killed service have exited', async () => {
  const { dataDir } = await useHome();
  const logs = join(dataDir, 'logs');
  await mkdir(logs, { recursive: true });
  const tokens = { adminToken: 'a', token: 't', agentToken: 'g' };
  const state = { url: 'http://127.0.0.1:9', pid: 2 ** 22, ...tokens, processStart: 'before' };
  await writeFile(join(dataDir, 'service.json'), JSON.stringify({ ...state, ownsProcess: true }));
  const mark = openSync(join(logs, 'job.log'), 'a+');
  const job = spawn('sleep', ['1000'], { stdio: withMark([], mark) });
  onTestFinished(() => void job.kill('SIGKILL'));
  const signal = new Promise((exited) => job.once('exit', (_, by) => exited(by)));
  const unlock = lockFolder(dataDir);
  const clock = hurriedClock();
  const sleep = async (ms: number) => {
    if (clock.now() === 500) unlock();
    await clock.sleep(ms);
  };
  await stopService({ dataDir, clock: { ...clock, sleep }, timeout: 100 });
  job.kill('SIGTERM');
  expect(await signal).toBe('SIGKILL');
});

/** A process that reuses the ID of a service that has stopped. */
async function useImpostor(ownsProcess: boolean, isSame: boolean) {
  const home = await useHome();
  const { dataDir } = home;
  const child = spawn('sleep', ['1000']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = child.pid ?? 0;
  const silent = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await new Promise((listening) => silent.once('listening', listening));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const tokens = { adminToken: 'a', token: 't', agentToken: 'g' };
  const processStart = isSame ? startOf(pid) : 'before';
  await mkdir(dataDir, { recursive: true });
  const state = { url, pid, ...tokens, ownsProcess, processStart };
  await writeFile(join(dataDir, 'service.json'), JSON.stringify(state));
  return { home, dataDir, pid };
}

test.runIf(isLinux)('does not kill another process that has its pid by now', async () => {
  const { dataDir, pid } = await useImpostor(true, false);
  expect(await stopService({ dataDir, clock: hurriedClock(), timeout: 100 })).toBe(false);
  expect(isRunning(pid)).toBe(true);
});

test.runIf(isLinux)('does not kill a program that also serves, but names it', async () => {
  const { dataDir, pid } = await useImpostor(false, true);
  await expect(stopService({ dataDir, clock: hurriedClock(), timeout: 100 })).rejects.toThrow(
    `the local service (process ${pid}) does not respond`,
  );
  expect(isRunning(pid)).toBe(true);
});

test.runIf(isLinux)('status reports a hung service and names the next step', async () => {
  const { home, dataDir } = await useImpostor(true, true);
  const { exitCode, stderr } = await cictl(['local', 'status'], { home });
  expect([exitCode, stderr]).toEqual([
    9,
    expect.stringMatching(
      /^cictl: the local service \(process \d+\) does not respond\n {2}try: cictl local down\n$/,
    ),
  ]);
  const unlock = lockFolder(dataDir);
  onTestFinished(unlock);
  expect(() => lockFolder(dataDir)).toThrow(expect.objectContaining({ hint: 'cictl local down' }));
});
