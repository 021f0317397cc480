import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';

const two = {
  current: 'one',
  profiles: {
    one: { baseUrl: 'https://one.test', token: 's3cr3t', agentToken: 's3cr3t', org: 'acme' },
    two: { baseUrl: 'https://two.test', agentUrl: 'https://agent.two.test' },
  },
};

async function homeWith(content: unknown): Promise<Home> {
  const home = await useHome();
  await mkdir(home.configDir);
  await writeFile(join(home.configDir, 'profiles.json'), JSON.stringify(content));
  return home;
}

const stored = async (home: Home): Promise<typeof two> =>
  JSON.parse(await readFile(join(home.configDir, 'profiles.json'), 'utf8')) as typeof two;

test('profile view shows the URLs in use, and no token', async () => {
  const home = await homeWith(two);
  const view = await cictl(['profile', 'view', 'two', '--json'], { home });
  expect(JSON.parse(view.stdout)).toMatchObject({
    name: 'two',
    current: false,
    baseUrl: 'https://two.test',
    agentUrl: 'https://agent.two.test',
    graphqlUrl: 'https://two.test',
    org: null,
    pipeline: null,
  });
  const own = await cictl(['profile', 'view', '--json'], { home });
  expect(JSON.parse(own.stdout)).toMatchObject({ name: 'one', current: true, org: 'acme' });
  expect(own.stdout).not.toContain('s3cr3t');
});

test('profile list shows all, and nothing if there are none', async () => {
  const list = await cictl(['profiles', 'ls', '--fields', 'name,current,org'], {
    home: await homeWith(two),
  });
  expect(list.stdout).toBe('one\ttrue\tacme\ntwo\tfalse\t\n');
  const none = await cictl(['profile', 'list', '--json']);
  expect([none.exitCode, none.stdout.trim()]).toEqual([0, '[]']);
});

test('profile use, set and remove change the file', async () => {
  const home = await homeWith(two);
  const run = async (...args: string[]) => (await cictl(['profile', ...args], { home })).exitCode;
  expect(await run('use', 'two')).toBe(0);
  expect(await run('set', 'org', 'globex')).toBe(0);
  expect(await run('set', 'graphql-url', 'https://graphql.two.test/')).toBe(0);
  expect(await run('set', 'output', 'jsonl', '--profile', 'one')).toBe(0);
  expect(await run('set', 'org', '', '--profile', 'one')).toBe(0);
  const { current, profiles } = await stored(home);
  expect(current).toBe('two');
  expect(profiles.one).toEqual({
    baseUrl: 'https://one.test',
    token: 's3cr3t',
    agentToken: 's3cr3t',
    output: 'jsonl',
  });
  expect(profiles.two).toEqual({
    baseUrl: 'https://two.test',
    agentUrl: 'https://agent.two.test',
    graphqlUrl: 'https://graphql.two.test',
    org: 'globex',
  });
  expect(await run('remove', 'one', '--yes')).toBe(0);
  expect(Object.keys((await stored(home)).profiles)).toEqual(['two']);
});

test.each([
  [['set', 'token', 't'], 'auth login --with-token'],
  [['set', 'agent-token', 't'], 'auth login --agent --with-token'],
  [['set', 'nothing', 'x'], 'unknown setting "nothing"'],
  [['set', 'constructor', 'x'], 'unknown setting "constructor"'],
  [['set', 'org', '../x'], 'invalid organization'],
  [['set', 'base-url', 'x'], 'invalid service URL'],
  [['set', 'output', 'xml'], 'table, tsv, json, jsonl, yaml'],
  [['set', 'org', 'x', '--profile', 'three'], 'unknown profile "three"'],
  [['use', 'three'], 'profiles: one, two'],
  [['view', 'three'], 'unknown profile "three"'],
  [['remove', 'three', '--yes'], 'unknown profile "three"'],
  [['remove', 'one'], '--yes'],
])('profile %j exits with 2 and changes nothing', async (args, text) => {
  const home = await homeWith(two);
  const { exitCode, stderr } = await cictl(['profile', ...args], { home });
  expect(stderr).toContain(text);
  expect(exitCode).toBe(2);
  expect(await stored(home)).toEqual(two);
});

test('--dry-run changes nothing', async () => {
  const home = await homeWith(two);
  for (const args of [
    ['use', 'two'],
    ['set', 'org', 'x'],
    ['remove', 'one'],
  ]) {
    const { exitCode } = await cictl(['profile', ...args, '--dry-run'], { home });
    expect(exitCode).toBe(0);
  }
  expect(await stored(home)).toEqual(two);
});

test('commands without a profile ignore a malformed file', async () => {
  const home = await useHome();
  await mkdir(home.configDir);
  const file = join(home.configDir, 'profiles.json');
  await writeFile(file, '{"profiles":{"one":{"token":"s3cr3t');
  const list = await cictl(['profile', 'list', '--json'], { home });
  expect(list.exitCode).toBe(10);
  const output = JSON.parse(list.stderr.trim().split('\n').at(-1) ?? '') as { error: object };
  expect(output.error).toMatchObject({
    code: 10,
    kind: 'machine',
    hint: `mv '${file}' '${file}.damaged'`,
  });
  expect(list.stderr).not.toContain('s3cr3t');
  expect((await cictl(['help'], { home })).exitCode).toBe(0);
  expect(await readFile(file, 'utf8')).toContain('s3cr3t');
});

test('many concurrent changes of profiles all succeed and lose nothing', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `p${at}`);
  const profiles = Object.fromEntries(names.map((name) => [name, {}]));
  const home = await homeWith({ current: 'p0', profiles });
  const set = (name: string) => cictl(['profile', 'set', 'org', name, '--profile', name], { home });
  const results = await Promise.all(names.map(set));
  expect(results.map(({ exitCode }) => exitCode)).toEqual(names.map(() => 0));
  const after = (await stored(home)).profiles as Record<string, { org?: string }>;
  expect(names.map((name) => after[name]?.org)).toEqual(names);
});
