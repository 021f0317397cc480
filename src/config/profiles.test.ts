import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { bundleLines } from '../../test/support/program.ts';
import { CictlError, toExit } from '../errors.ts';
import { readProfiles, removeProfile, useProfile, writeProfile } from './profiles.ts';
import type { Env } from '../common/env.ts';

async function makeHome(): Promise<{ env: Env; folder: string; file: string }> {
  const root = await mkdtemp(join(tmpdir(), 'cictl-profiles-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = join(root, 'a', 'b');
  return { env: { CICTL_CONFIG_DIR: folder }, folder, file: join(folder, 'profiles.json') };
}

const failure = async (run: () => unknown): Promise<CictlError> => {
  try {
    await run();
  } catch (error) {
    if (error instanceof CictlError) return error;
  }
  throw new Error('it did not fail as it should');
};

const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

test('without a file, there are no profiles, and reading creates none', async () => {
  const { env, folder } = await makeHome();
  expect(readProfiles(env)).toEqual({ current: undefined, profiles: new Map() });
  await expect(stat(folder)).rejects.toThrow('ENOENT');
});

test('creates, changes, selects and removes profiles', async () => {
  const { env } = await makeHome();
  await writeProfile(env, 'one', { baseUrl: 'http://one', token: 't', org: 'o' });
  await writeProfile(env, 'a.b-c_2', { baseUrl: 'http://two' });
  expect(readProfiles(env).current).toBe('one');
  await writeProfile(env, 'one', { token: null, pipeline: 'p' });
  await useProfile(env, 'a.b-c_2');
  expect(readProfiles(env)).toEqual({
    current: 'a.b-c_2',
    profiles: new Map([
      ['one', { baseUrl: 'http://one', org: 'o', pipeline: 'p' }],
      ['a.b-c_2', { baseUrl: 'http://two' }],
    ]),
  });
  await removeProfile(env, 'a.b-c_2');
  expect(readProfiles(env).current).toBeUndefined();
});

test('sets mode 0700 and 0600, even if they were wider', async () => {
  const { env, folder, file } = await makeHome();
  await writeProfile(env, 'one', { token: 't' });
  expect([await mode(folder), await mode(file)]).toEqual([0o700, 0o600]);
  await chmod(folder, 0o755);
  await chmod(file, 0o644);
  await writeProfile(env, 'one', { org: 'o' });
  expect([await mode(folder), await mode(file)]).toEqual([0o700, 0o600]);
});

test('does not change the mode of a directory with other files', async () => {
  const { env, folder } = await makeHome();
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'other'), '');
  await writeProfile(env, 'one', { token: 't' });
  expect(await mode(folder)).toBe(0o755);
});

test.each([
  ['not JSON', '{"current": "one", "profiles": {'],
  ['cut off in a token', '{"profiles":{"one":{"token":"s3cr3t'],
  ['text after a token', '{"profiles":{"one":{"token":"s3cr3t"x}}}'],
  ['empty', ''],
  ['no object', '[]'],
  ['a profile that is no object', '{"profiles":{"one":"x"}}'],
  ['a member that is no text', '{"profiles":{"one":{"token":1}}}'],
])('reports a malformed file (%s) with its path, and keeps it', async (_, text) => {
  const { env, folder, file } = await makeHome();
  await mkdir(folder, { recursive: true });
  await writeFile(file, text);
  for (const run of [() => readProfiles(env), () => writeProfile(env, 'one', { org: 'o' })]) {
    const error = await failure(run);
    expect(error.message).toContain(`cannot read the profiles in ${file}: malformed`);
    expect(error.message).not.toContain('s3cr3t');
    expect(error.hint).toBe(`mv '${file}' '${file}.damaged'`);
    expect(toExit(error)).toBe(10);
  }
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('keeps members written by a newer version', async () => {
  const { env, folder, file } = await makeHome();
  await mkdir(folder, { recursive: true });
  await writeFile(file, '{"newer":2,"profiles":{"one":{"newer":{"x":[1]}}}}');
  await writeProfile(env, 'one', { org: 'o' });
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    newer: 2,
    current: 'one',
    profiles: { one: { newer: { x: [1] }, org: 'o' } },
  });
});

test.each(['', '__proto__', 'a b', '../x', '-x', 'a/b', 'ü'])(
  'rejects the profile name %j',
  async (name) => {
    const { env } = await makeHome();
    const error = await failure(() => writeProfile(env, name, { org: 'o' }));
    expect(toExit(error)).toBe(2);
    expect(readProfiles(env).profiles.size).toBe(0);
  },
);

test('an unknown profile is reported with the existing names', async () => {
  const { env } = await makeHome();
  await writeProfile(env, 'one', { org: 'o' });
  for (const run of [useProfile, removeProfile]) {
    const error = await failure(() => run(env, 'constructor'));
    expect(error.message).toBe('unknown profile "constructor" (profiles: one)');
    expect(error.hint).toBe('cictl auth login --profile constructor');
    expect(toExit(error)).toBe(2);
  }
  expect((await failure(() => useProfile(env, 'local'))).hint).toBe('cictl local up');
});

test('reports a directory that cannot be created', async () => {
  const { folder } = await makeHome();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'file'), '');
  const env = { CICTL_CONFIG_DIR: join(folder, 'file', 'sub') };
  const error = await failure(() => writeProfile(env, 'one', { org: 'o' }));
  expect(error.message).toContain(join(folder, 'file', 'sub', 'profiles.json'));
  expect(toExit(error)).toBe(10);
});

test('two concurrent writers lose nothing', async () => {
  const { env, folder } = await makeHome();
  await mkdir(folder, { recursive: true });
  const script = join(folder, '..', 'writer.mjs');
  await bundleLines(writer, import.meta.dirname, script);
  const changes = 100;
  const write = (name: string) =>
    promisify(execFile)(process.execPath, [script, name, String(changes)], {
      env: { ...process.env, CICTL_CONFIG_DIR: folder },
    });
  await Promise.all([write('left'), write('right')]);
  const names = [...readProfiles(env).profiles.keys()];
  expect(names.filter((name) => name.startsWith('left'))).toHaveLength(changes);
  expect(names.filter((name) => name.startsWith('right'))).toHaveLength(changes);
});

/** A program that creates this many profiles in sequence. Node 20 cannot run TypeScript. */
const writer = `
  import { writeProfile } from './profiles.ts';
  const [name, count] = process.argv.slice(2);
  for (let i = 0; i < Number(count); i += 1) {
    await writeProfile(process.env, name + i, { org: 'o' });
  }`;
