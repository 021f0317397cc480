/**
 * Tests the single executable, if `npm run build:exe` has built it from the current sources:
 * everything that it contains besides code.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { useHome, type Home } from '../support/home.ts';
import { hasTerminal, inTerminal } from '../support/pty.ts';
import { serve } from '../support/server.ts';

const top = join(import.meta.dirname, '../..');
const executable = join(top, 'dist/exe/cictl');

/** Hashes of the current build's inputs and of the executable's inputs. */
const inputs = ['inputs', 'executable/inputs'].map((name) =>
  readFile(join(top, 'node_modules/.cache/cictl', name), 'utf8').catch(() => name),
);
const [built, carried] = await Promise.all(inputs);
const isCurrent = existsSync(executable) && built === carried;

describe.runIf(isCurrent)('the executable', () => {
  test('knows its version, and leaves nothing behind', async () => {
    const home = await useAlone();
    expect(await run(home, ['--version'])).toMatchObject({ exitCode: 0, stdout: manifest.version });
    expect(await readdir(join(home.root, 'temporary'))).toEqual([]);
  });

  test.each(['Node.js 26, ', 'jq-wasm 3', 'jq, in jq-wasm', 'node-pty, in ', 'hono 4', 'yaml 2'])(
    'its licenses contain that of %s',
    async (name) => {
      const text = await readFile(join(top, 'dist/exe/THIRD-PARTY-LICENSES.txt'), 'utf8');
      expect(text).toContain(`${'-'.repeat(72)}\n${name}`);
      expect(text).toContain('International Business Machines Corporation');
    },
  );

  test('V8 accepts all code compiled at build time', async () => {
    const home = await useAlone();
    const { url } = await serve([{ path: /^\/v2\/builds\?/, answer: { json: [{ number: 7 }] } }]);
    const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 'token', NODE_DEBUG: 'cictl' };
    const { exitCode, stdout, stderr } = await run(home, ['builds', 'list', '-o', 'json'], env);
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, [{ number: 7 }]]);
    const files = stderr.split('\n').flatMap((line) => /^CICTL \d+: (.+)/.exec(line)?.[1] ?? []);
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((line) => !line.endsWith(': compiled'))).toEqual([]);
  });

  test.each([
    ['the environment', ['profile', 'list'], 0],
    ['a file of --env-file', ['profile', 'list', '--env-file', 'evil.env'], 2],
    ['a file of --env-file=', ['--env-file=evil.env', 'profile', 'list'], 2],
  ])('ignores NODE_OPTIONS of %s', async (from, args, code) => {
    const home = await useAlone();
    await writeFile(join(home.cwd, 'evil.cjs'), `require('fs').writeFileSync('pwned', '')`);
    const NODE_OPTIONS = '--require=./evil.cjs';
    await writeFile(join(home.cwd, 'evil.env'), `NODE_OPTIONS=${NODE_OPTIONS}\n`);
    const env = from === 'the environment' ? { NODE_OPTIONS } : {};
    expect((await run(home, args, env)).exitCode).toBe(code);
    expect(existsSync(join(home.cwd, 'pwned'))).toBe(false);
  });

  test.each([
    ['at once', '.[].number', '7'],
    ['in a thread', '[range(.[0].number)] | last', '6'],
  ])('contains jq: %s', async (_, program, expected) => {
    const home = await useAlone();
    const { url } = await serve([{ path: /^\/v2\/builds\?/, answer: { json: [{ number: 7 }] } }]);
    const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 'token' };
    const listed = await run(home, ['builds', 'list', '--jq', program], env);
    expect(listed).toMatchObject({ exitCode: 0, stdout: expected, stderr: '' });
  });

  test('runs jobs that call it, and the agent', async () => {
    const home = await useAlone();
    await pipeline(
      home,
      'buildkite-agent meta-data set k v; buildkite-agent meta-data get k; cictl -V',
    );
    const { exitCode, stdout } = await run(home, ['run', '--no-tty']);
    const printed = stdout.split('\n').flatMap((line) => / \| (.*)/.exec(line)?.[1] ?? []);
    expect([exitCode, printed.at(-1)]).toEqual([0, `v${manifest.version}`]);
  });

  test('runs a service in the background, whose builds survive a restart', async () => {
    const home = await useAlone();
    await pipeline(home, 'true');
    expect(await run(home, ['run', '--no-tty'])).toMatchObject({ exitCode: 0 });
    for (const time of ['first', 'second']) {
      expect(await run(home, ['local', 'up', '--port', '0']), time).toMatchObject({ exitCode: 0 });
      try {
        const listed = await run(home, [
          'builds',
          'list',
          '--profile',
          'local',
          '--jq',
          '.[].state',
        ]);
        expect(listed, time).toMatchObject({ exitCode: 0, stdout: 'passed' });
      } finally {
        expect(await run(home, ['local', 'down']), time).toMatchObject({ exitCode: 0 });
      }
    }
  });

  test('reads a pipeline file, and reports its problems', async () => {
    const home = await useAlone();
    await pipeline(home, 'true');
    const plan = await run(home, ['run', '--plan']);
    expect(plan).toMatchObject({ exitCode: 0, stderr: '' });
    expect(plan.stdout).toContain('command');
    await writeFile(join(home.cwd, 'pipeline.yml'), 'steps: [{ comand: no }]');
    expect(await run(home, ['run', '--plan'])).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test.runIf(hasTerminal)('a job has a terminal', async () => {
    const home = await useAlone();
    await pipeline(home, 'test -t 1 && echo a terminal');
    const { screen, exitCode } = await inTerminal([executable, 'run'], { home });
    expect([exitCode, screen]).toEqual([0, expect.stringContaining('a terminal')]);
    expect(await readdir(join(home.root, 'temporary'))).toEqual([]);
  });
});

/** A user on whose machine Node does not work. */
async function useAlone(): Promise<Home> {
  const home = await useHome();
  const temporary = join(home.root, 'temporary');
  await mkdir(temporary);
  const programs = join(home.root, 'programs');
  await mkdir(programs);
  await writeFile(join(programs, 'node'), '#!/bin/sh\nexit 99\n', { mode: 0o700 });
  const PATH = `${programs}:/usr/bin:/bin`;
  return { ...home, env: { ...home.env, PATH, TMPDIR: temporary } };
}

const pipeline = (home: Home, command: string): Promise<void> =>
  writeFile(join(home.cwd, 'pipeline.yml'), `steps: [{ command: '${command}' }]`);

const run = (home: Home, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  execa(executable, args, {
    ...{ cwd: home.cwd, env: { ...home.env, ...env }, extendEnv: false, reject: false },
  });
