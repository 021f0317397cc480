/** `local up`, `status`, `down`, `logs` and `reset`: the background service. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { until } from '../run/processes.ts';
import { builtCictl, cictl, startCictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { sampled } from '../support/full.ts';

/** A user whose service is stopped after the test. */
async function useLocal() {
  const home = await useHome();
  onTestFinished(() => cictl(['local', 'down'], { home }).then(() => undefined));
  return { home, local: (...args: string[]) => cictl(['local', ...args], { home }) };
}

const profileOf = async (home: Home): Promise<Record<string, string>> => {
  const file = await readFile(join(home.configDir, 'profiles.json'), 'utf8');
  return (JSON.parse(file) as { profiles: { local: Record<string, string> } }).profiles.local;
};

test('up starts it, a second up reports that it runs, and down stops it', async () => {
  const { home, local } = await useLocal();
  expect((await local('status')).exitCode).toBe(9);

  const first = await local('up');
  expect([first.exitCode, first.stdout]).toEqual([
    0,
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\n$/),
  ]);
  const again = await local('up');
  expect([again.exitCode, again.stdout]).toEqual([0, first.stdout]);
  expect(again.stderr).toContain('already running');

  const status = await local('status', '--json');
  expect(status.exitCode).toBe(0);
  expect(JSON.parse(status.stdout)).toMatchObject({ url: first.stdout.trim(), slots: 2 });
  expect(status.stdout).not.toContain('oken');
  expect((await cictl(['builds', 'list', '--json'], { home })).stdout).toBe('[]\n');

  expect((await local('down')).exitCode).toBe(0);
  expect((await local('status')).exitCode).toBe(9);
  expect((await local('down')).exitCode).toBe(0);
  const unreachable = await cictl(['builds', 'list'], { home });
  expect(unreachable.exitCode).toBe(9);
  expect(unreachable.stderr).toContain('cictl local up');
});

test("up keeps the profile's token, and creates one if there is none", async () => {
  const { home, local } = await useLocal();
  await local('up');
  const before = await profileOf(home);
  await local('down');
  await local('up');
  expect((await profileOf(home))['token']).toBe(before['token']);
  await cictl(['auth', 'logout', '--profile', 'local', '--yes'], { home });
  expect((await local('up')).exitCode).toBe(0);
  const after = await profileOf(home);
  expect(after['token']).not.toBe(before['token']);
  expect((await cictl(['builds', 'list'], { home })).exitCode).toBe(0);
});

test('up keeps the current profile', async () => {
  const { home, local } = await useLocal();
  const profiles = { current: 'work', profiles: { work: { org: 'acme' } } };
  await mkdir(home.configDir, { mode: 0o700 });
  await writeFile(join(home.configDir, 'profiles.json'), JSON.stringify(profiles));
  await local('up');
  const { stdout } = await cictl(['profile', 'list', '--fields', 'name,current'], { home });
  expect(stdout.trim().split('\n').sort()).toEqual(['local\tfalse', 'work\ttrue']);
});

sampled.each([
  ['in the background', []],
  ['in the foreground', ['--foreground']],
])('a port in use is one clear line, %s', async (_, flags) => {
  const { home, local } = await useLocal();
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await new Promise((listening) => other.once('listening', listening));
  const port = String((other.address() as AddressInfo).port);
  const { exitCode, stdout, stderr } = await local('up', '--port', port, ...flags);
  expect([exitCode, stdout]).toEqual([10, '']);
  expect(stderr).toMatch(new RegExp(`^cictl: .*${port}.*in use.*\n`));
  expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
  await expect(stat(home.configDir)).rejects.toThrow('ENOENT');
});

test('a failed start is an error with hint and code under --json, and a line in the logs', async () => {
  const { home, local } = await useLocal();
  await mkdir(home.dataDir, { recursive: true });
  await writeFile(join(home.dataDir, 'service.db'), 'no database '.repeat(1000));
  const { exitCode, stdout, stderr } = await local('up', '--json');
  expect([exitCode, stdout]).toEqual([10, '']);
  expect(JSON.parse(stderr)).toMatchObject({
    error: {
      code: 10,
      kind: 'machine',
      message: expect.stringMatching(
        /^cannot use the data directory .*not a database; cictl local reset moves the directory aside$/,
      ) as string,
      hint: 'cictl local reset',
    },
  });
  expect((await local('logs')).stdout).toMatch(
    /^cictl: cannot use the data directory .*not a database;/m,
  );
});

test('CICTL_OUTPUT=json does not hide why it does not start', async () => {
  const { home, local } = await useLocal();
  await mkdir(home.dataDir, { recursive: true });
  await writeFile(join(home.dataDir, 'service.db'), 'no database '.repeat(1000));
  const { stderr } = await cictl(['local', 'up'], { home, env: { CICTL_OUTPUT: 'json' } });
  expect(stderr).toContain('not a database');
  expect((await local('logs')).stdout).toContain('not a database');
});

const isLinux = process.platform === 'linux';

test.runIf(isLinux).each([
  ['below /proc', '/proc/cictl/data', 'ENOENT'],
  ['below a file', '/dev/null/data', 'ENOTDIR'],
])('a data directory %s is one clear line', async (_, dataDir, reason) => {
  const home = await useHome();
  const env = { CICTL_DATA_DIR: dataDir };
  await pipelineIn(home, 'demo', "steps: [{ command: 'true' }]");
  for (const words of [
    ['local', 'up'],
    ['run', 'demo'],
  ]) {
    const { exitCode, stdout, stderr } = await cictl(words, { home, env });
    expect([exitCode, stdout]).toEqual([10, '']);
    expect(stderr).toMatch(
      new RegExp(`^cictl: cannot use the data directory ${dataDir}: ${reason}`),
    );
  }
});

async function overwriteMiddle(file: string): Promise<void> {
  const bytes = await readFile(file);
  bytes.fill('?', bytes.length / 2, bytes.length / 2 + 8 * 4096);
  await writeFile(file, bytes);
}

sampled.each([
  ['corrupt', (file: string) => writeFile(file, 'no database '.repeat(1000)), 'not a database'],
  ['truncated', (file: string) => truncate(file, 8192), 'malformed'],
  ['overwritten in the middle', overwriteMiddle, 'malformed'],
  ['emptied', (file: string) => truncate(file, 0), 'empty or missing, but job logs exist'],
])('rejects a database that was %s, until it is moved aside', async (_, spoil, reason) => {
  const { home, local } = await useLocal();
  await pipelineIn(home, 'demo', "steps: [{ command: 'true' }]");
  // In another process, which does not cache the file.
  await builtCictl(['run', 'demo'], { home });
  const file = join(home.dataDir, 'service.db');
  await spoil(file);
  const spoiled = await readFile(file);
  for (const words of [
    ['local', 'up'],
    ['run', 'demo'],
  ]) {
    const { exitCode, stderr } = await cictl(words, { home });
    expect(exitCode).toBe(10);
    expect(stderr).toMatch(
      /^cictl: cannot use the data directory .*moves the directory aside\n {2}try: cictl local reset\n/,
    );
    expect(stderr).toContain(reason);
  }
  expect(await readFile(file)).toEqual(spoiled);
  const { stdout: aside } = await local('reset', '--yes');
  expect((await local('up')).exitCode).toBe(0);
  expect(await readFile(join(aside.trim(), 'service.db'))).toEqual(spoiled);
});

test('the service stops if the profile cannot be stored', async () => {
  const { home, local } = await useLocal();
  await mkdir(home.configDir, { mode: 0o700 });
  await writeFile(join(home.configDir, 'profiles.json'), 'damaged');
  const { exitCode, stdout, stderr } = await local('up');
  expect([exitCode, stdout]).toEqual([10, '']);
  expect(stderr).toMatch(/^cictl: cannot read the profiles in /);
  expect((await local('status')).exitCode).toBe(9);
});

sampled.each(['null', '{"token":5}', '{'])('credentials %s are made anew', async (text) => {
  const { home, local } = await useLocal();
  await mkdir(home.dataDir, { recursive: true });
  await writeFile(join(home.dataDir, 'credentials.json'), text);
  expect((await local('up')).exitCode).toBe(0);
  expect((await cictl(['builds', 'list'], { home })).exitCode).toBe(0);
});

test.runIf(isLinux)('reports a full disk although nothing can be written to it', async () => {
  const { home, local } = await useLocal();
  await mkdir(home.dataDir, { recursive: true });
  await symlink('/dev/full', join(home.dataDir, 'service.log'));
  const { exitCode, stderr } = await local('up');
  expect(exitCode).toBe(10);
  expect(stderr).toMatch(/^cictl: cannot use the data directory .*no space left/);
});

sampled.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('in the foreground %s ends it with %i', async (signal, code) => {
  const { home, local } = await useLocal();
  const child = startCictl(['local', 'up', '--foreground'], home);
  await until(async () => (await local('status')).exitCode === 0);
  child.kill(signal);
  expect((await child).exitCode).toBe(code);
  expect((await local('status')).exitCode).toBe(9);
});

test('down stops the foreground service, which exits with 0', async () => {
  const { home, local } = await useLocal();
  const child = startCictl(['local', 'up', '--foreground'], home);
  await once(child.stdout, 'data');
  await local('down');
  expect((await child).exitCode).toBe(0);
});

test('a killed service is neither running nor in the way', async () => {
  const { local } = await useLocal();
  await local('up');
  const { pid } = JSON.parse((await local('status', '--json')).stdout) as { pid: number };
  process.kill(pid, 'SIGKILL');
  expect((await local('status')).exitCode).toBe(9);
  expect((await local('down')).exitCode).toBe(0);
  const again = await local('up');
  expect(again.exitCode, again.stderr).toBe(0);
});

test('reset prompts, then moves the data aside or deletes it, and up works again', async () => {
  const { home, local } = await useLocal();
  await pipelineIn(home, 'demo', "steps: [{ command: 'true' }]");
  await cictl(['run', 'demo'], { home });
  await local('up');
  const asked = await local('reset');
  expect(asked.exitCode).toBe(2);
  expect(asked.stderr).toContain('--yes');
  const { exitCode, stdout } = await local('reset', '--yes');
  expect([exitCode, existsSync(home.dataDir)]).toEqual([0, false]);
  expect(await readdir(stdout.trim())).toContain('service.db');
  expect((await local('status')).exitCode).toBe(9);
  expect((await local('up')).exitCode).toBe(0);
  expect((await cictl(['builds', 'list'], { home })).stdout).toBe('');
  expect((await local('reset', '--yes', '--delete')).exitCode).toBe(0);
  expect(await readdir(home.dataDir)).toEqual([]);
});

test('its data is private to its user', async () => {
  const { home, local } = await useLocal();
  await local('up');
  expect((await stat(home.dataDir)).mode & 0o777).toBe(0o700);
  const names = await readdir(home.dataDir);
  expect(names).toContain('service.db');
  for (const name of names) {
    const { mode } = await stat(join(home.dataDir, name));
    expect([name, mode & 0o077]).toEqual([name, 0]);
  }
});

test("logs prints the service's output", async () => {
  const { local } = await useLocal();
  expect((await local('logs')).stdout).toBe('');
  const { stdout } = await local('up');
  expect((await local('logs')).stdout).toContain(stdout.trim());
});

const refused = [
  [['up', '--port', '70000']],
  [['up', '--port', '-1']],
  [['up', '--rate-limit', '0']],
  [['upp']],
];
sampled.each(refused)('local %j is code 2', async (args) => {
  expect((await cictl(['local', ...args])).exitCode).toBe(2);
});
