/** Processes that start the service at the same time end up sharing one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../run/processes.ts';
import { cictl, startCictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';

test('eight concurrent local up all exit with 0 and share one service', async () => {
  const home = await useHome();
  const local = (...args: string[]) => cictl(['local', ...args], { home });
  onTestFinished(() => local('down').then(() => undefined));
  const results = await Promise.all(Array.from({ length: 8 }, () => local('up')));
  for (const { stderr, exitCode } of results) {
    expect([stderr, exitCode]).toEqual([expect.stringMatching(upLine), 0]);
  }
  // Each started a service, and all but the first have stopped again.
  const log = (await local('logs')).stdout;
  expect(log.match(/the local service is at/g)).toHaveLength(1);
  const { url, pid } = JSON.parse((await local('status', '--json')).stdout) as Service;
  expect(results.map(({ stdout }) => stdout)).toEqual(results.map(() => `${url}\n`));
  const file = JSON.parse(await readFile(join(home.configDir, 'profiles.json'), 'utf8')) as object;
  expect(file).toMatchObject({ current: 'local', profiles: { local: { baseUrl: url } } });
  expect((await cictl(['builds', 'list'], { home })).exitCode).toBe(0);
  expect((await local('down')).exitCode).toBe(0);
  expect((await local('status')).exitCode).toBe(9);
  await until(() => !isThere(pid));
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const upLine = /^local service (started|already running); .*\n/;

interface Service {
  readonly url: string;
  readonly pid: number;
}

test('of three in the foreground, one serves and two exit with code 10', async () => {
  const home = await useHome();
  const local = (...args: string[]) => cictl(['local', ...args], { home });
  onTestFinished(() => local('down').then(() => undefined));
  const ups = [1, 2, 3].map(() => startCictl(['local', 'up', '--foreground'], home));
  await until(() => ups.filter(({ exitCode }) => exitCode === 10).length === 2);
  expect((await local('status')).exitCode).toBe(0);
  const late = await local('up', '--foreground');
  expect([late.exitCode, late.stderr]).toEqual([
    10,
    expect.stringMatching(/^cictl: a local service is already running \(process \d+\)\n/),
  ]);
  await local('down');
  const codes = (await Promise.all(ups)).map(({ exitCode }) => exitCode);
  expect(codes.sort()).toEqual([0, 10, 10]);
});
