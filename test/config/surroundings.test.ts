/**
 * Commands that need neither a home nor settings work if the home is unusable or settings are
 * invalid.
 */
import { chmod, copyFile, cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { execa } from 'execa';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { serve } from '../support/server.ts';
import { toolProgram, toolWords } from '../support/tool.ts';
import { sampled, sampledGroups } from '../support/full.ts';

/** No directory of the tool is set: all are derived from HOME. */
const byHome = (HOME: string) => ({
  HOME,
  ...{ CICTL_CONFIG_DIR: undefined, CICTL_DATA_DIR: undefined, CICTL_CACHE_DIR: undefined },
  ...{ XDG_CONFIG_HOME: undefined, XDG_CACHE_HOME: undefined, XDG_DATA_HOME: undefined },
});

const homes: Readonly<Record<string, (home: Home) => Promise<string>>> = {
  'a file': async ({ root }) => {
    const path = join(root, 'file');
    await writeFile(path, '');
    return path;
  },
  'not there': ({ root }) => Promise.resolve(join(root, 'none')),
  'below a file': () => Promise.resolve('/dev/null/home'),
  'where nothing can be written': () => Promise.resolve('/proc'),
};

const finished = '2026-01-01T00:00:00Z';
const build = {
  number: 1,
  state: 'passed',
  jobs: [{ id: 'j-1', type: 'script', state: 'passed', finished_at: finished }],
};

sampledGroups.each(Object.entries(homes))('a HOME that is %s', (_, place) => {
  const surroundings = async (url: string) => {
    const home = await useHome();
    const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 'a-token', ...byHome(await place(home)) };
    return { home, env };
  };

  test('is not needed if all settings come from the environment', async () => {
    const { url } = await serve([
      { path: '/v2/organizations?per_page=100', answer: { json: [{ slug: 'acme' }] } },
      { path: '/v2/organizations/acme/pipelines/web/builds/1', answer: { json: build } },
      { path: /jobs\/j-1\/log.txt$/, answer: { body: 'a line\n' } },
    ]);
    const options = await surroundings(url);
    const list = await cictl(['orgs', 'list', '--fields', 'slug'], options);
    expect(list).toMatchObject({ stderr: '', stdout: 'acme\n', exitCode: 0 });
    const log = await cictl(['job', 'log', 'acme/web/1#j-1'], options);
    expect(log).toMatchObject({ stderr: '', stdout: 'a line\n', exitCode: 0 });
  });

  test('is not needed by commands without settings', async () => {
    const { url } = await serve([]);
    const options = await surroundings(url);
    for (const args of [['help'], ['--version'], ['completion', 'bash'], ['builds', '--help']]) {
      const { stderr, exitCode } = await cictl(args, options);
      expect([args, stderr, exitCode]).toEqual([args, '', 0]);
    }
  });
});

const isRoot = process.getuid?.() === 0;

test.runIf(isRoot)('works for a user ID that has no home directory and no name', async () => {
  const { url } = await serve([
    { path: '/v2/organizations?per_page=100', answer: { json: [{ slug: 'acme' }] } },
  ]);
  const [program, ...words] = await copyTool();
  const { stdout, stderr, exitCode } = await execa(
    program,
    [...words, 'orgs', 'list', '--fields', 'slug'],
    {
      ...{ cwd: '/', uid: 54321, gid: 54321, reject: false, extendEnv: false },
      env: { CICTL_BASE_URL: url, CICTL_TOKEN: 'a-token' },
    },
  );
  expect([stderr, stdout, exitCode]).toEqual(['', 'acme', 0]);
});

/** The command line of a copy that every user can run: the checkout or Node may be in a private directory. */
async function copyTool(): Promise<[string, ...string[]]> {
  const folder = await mkdtemp('/tmp/cictl-test-');
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = join(folder, 'program');
  await copyFile(toolProgram, program);
  const root = join(import.meta.dirname, '../..');
  for (const name of toolWords.length > 0 ? ['bin', 'dist', 'package.json'] : []) {
    await cp(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => basename(path) !== 'exe',
    });
  }
  await execa('chmod', ['-R', 'a+rX', folder]);
  return [program, ...toolWords.map(() => join(folder, 'bin/cictl.js'))];
}

sampled.each([
  ['--profile one', ['--profile', 'one'], {}],
  ['CICTL_PROFILE=one', [], { CICTL_PROFILE: 'one' }],
])(
  'a damaged file of profiles stops %s, and nothing that needs no profile',
  async (_, args, set) => {
    const { url } = await serve([
      { path: '/v2/organizations?per_page=100', answer: { json: [{ slug: 'acme' }] } },
    ]);
    const home = await useHome();
    await mkdir(home.configDir, { mode: 0o700 });
    await writeFile(join(home.configDir, 'profiles.json'), '{');
    const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 'a-token' };
    expect((await cictl(['orgs', 'list'], { home, env })).exitCode).toBe(0);
    const named = await cictl(['orgs', 'list', ...args], { home, env: { ...env, ...set } });
    expect(named.exitCode).toBe(10);
    // The service of the profile is unknown, and the token may only be valid there.
    const token = { CICTL_TOKEN: 'a-token' };
    expect((await cictl(['orgs', 'list'], { home, env: token })).exitCode).toBe(10);
  },
);

const wrong: Readonly<Record<string, string>> = {
  CICTL_OUTPUT: 'xml',
  CICTL_BASE_URL: 'nowhere',
  CICTL_AGENT_URL: 'ftp://ci.test',
  CICTL_GRAPHQL_URL: 'https://me:secret@ci.test',
  CICTL_REQUEST_TIMEOUT: 'soon',
  CICTL_PROFILE: 'nobody',
};

sampledGroups.each(Object.entries(wrong))('%s=%s', (name, value) => {
  const env = { [name]: value };

  sampled.each([
    [['help']],
    [['help', 'builds', 'list']],
    [['--help']],
    [['--version']],
    [['completion', 'zsh']],
    [['__complete', 'bui']],
  ])('does not stop %j', async (args) => {
    const { stdout, stderr, exitCode } = await cictl(args, { env });
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(stdout).not.toBe('');
  });

  test('does not stop local down or commands that repair a profile', async () => {
    const home = await useHome();
    await mkdir(home.configDir, { mode: 0o700 });
    const profiles = { one: { org: 'acme' }, two: {} };
    const file = join(home.configDir, 'profiles.json');
    await writeFile(file, JSON.stringify({ current: 'one', profiles }), { mode: 0o600 });
    for (const args of [
      ['profile', 'list'],
      ['profile', 'view', 'one'],
      ['profile', 'use', 'two'],
      ['profile', 'set', 'org', 'globex', '--profile', 'two'],
      ['profile', 'remove', 'one', '--yes'],
      ['auth', 'logout', '--profile', 'two'],
      ['local', 'down'],
      ['local', 'logs'],
    ]) {
      const { exitCode, stderr } = await cictl(args, { home, env });
      expect([args, exitCode, stderr.split('\n  try')[0]]).toEqual([
        args,
        0,
        expect.not.stringMatching(/^cictl:/m),
      ]);
    }
  });
});

test('reports an invalid setting once, and uses the default', async () => {
  const { stdout, stderr, exitCode } = await cictl(['profile', 'list', '--json'], {
    env: { CICTL_OUTPUT: 'xml' },
  });
  expect([stdout, exitCode]).toEqual(['[]\n', 0]);
  expect(stderr).toMatch(
    /^warning: ignored: unknown output format "xml" \(CICTL_OUTPUT\); formats are table, .*\n/,
  );
});

test('an invalid setting or flag stops commands that use the service', async () => {
  const env = { CICTL_OUTPUT: 'xml', CICTL_TOKEN: 'a-token' };
  expect((await cictl(['orgs', 'list'], { env })).exitCode).toBe(2);
  expect((await cictl(['profile', 'list', '-o', 'xml'])).exitCode).toBe(2);
  expect((await cictl(['profile', 'list', '--base-url', 'nowhere'])).exitCode).toBe(2);
});

describe.skipIf(process.platform === 'win32')(
  'warns about a profiles file that others can read',
  () => {
    const withMode = async (mode: number, profile: object) => {
      const home = await useHome();
      await mkdir(home.configDir, { mode: 0o700 });
      const file = join(home.configDir, 'profiles.json');
      await writeFile(file, JSON.stringify({ current: 'one', profiles: { one: profile } }));
      await chmod(file, mode);
      return { home, file };
    };

    sampled.each([0o644, 0o640, 0o604])(
      'is reported in mode %o, until it is mended',
      async (mode) => {
        const { url } = await serve([
          { path: '/v2/organizations?per_page=100', answer: { json: [] } },
          { path: '/v2/organizations?per_page=100', answer: { json: [] } },
        ]);
        const { home, file } = await withMode(mode, { baseUrl: url, token: 'a-token' });
        const warning = `other users can read the tokens in ${file}; to fix: chmod 600 '${file}'`;
        const list = await cictl(['orgs', 'list', '--json'], { home });
        expect([list.stderr.split('\n')[0], list.exitCode]).toEqual([`warning: ${warning}`, 0]);
        expect(list.stderr.split(warning)).toHaveLength(2);
        await execa('sh', ['-c', warning.split('to fix: ')[1] ?? '']);
        expect((await cictl(['orgs', 'list', '--json'], { home })).stderr).not.toContain('warning');
      },
    );

    test('does not affect help, or a file without tokens', async () => {
      const { home } = await withMode(0o644, { token: 'a-token' });
      expect((await cictl(['help'], { home })).stderr).toBe('');
      expect((await cictl(['profile', 'list', '-q'], { home })).stderr).toBe('');
      const { home: open } = await withMode(0o644, { org: 'acme' });
      expect((await cictl(['profile', 'list'], { home: open })).stderr).toBe('');
    });

    test('the next change fixes it', async () => {
      const { home, file } = await withMode(0o644, { token: 'a-token' });
      await cictl(['profile', 'set', 'org', 'acme'], { home });
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    });
  },
);
