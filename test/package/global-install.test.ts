/**
 * The package as users get it: packed, then installed globally by npm from the registry, without
 * install scripts. Skipped if npm cannot reach a registry.
 */
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { createHome, useHome, type Home } from '../support/home.ts';
import { serve } from '../support/server.ts';

const top = join(import.meta.dirname, '../..');

const env = { PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) };

/** Runs npm on the Node under test with the current user's settings, which name the registry. */
const npm = (args: readonly string[], cwd: string) =>
  execa('npm', [...args, '--ignore-scripts', '--loglevel=error'], {
    cwd,
    env,
  });

const isReachable = await npm(
  ['view', 'libsql', 'name', '--prefer-online', ...quickly()],
  top,
).then(
  () => true,
  () => false,
);

function quickly(): string[] {
  return ['--fetch-retries=0', '--fetch-timeout=10000'];
}

describe.runIf(isReachable)('the package, installed globally', () => {
  let folder: Home;
  let prefix: string;
  let archive: string;

  beforeAll(async () => {
    folder = await createHome();
    prefix = join(folder.root, 'prefix');
    const { stdout } = await npm(['pack', '--json', '--pack-destination', folder.cwd], top);
    const [packed] = JSON.parse(stdout) as { readonly filename: string }[];
    archive = `./${packed?.filename ?? ''}`;
    const from = ['--prefix', prefix, '--prefer-offline', '--no-audit', '--no-fund'];
    await npm(['install', '--global', ...from, archive], folder.cwd);
  });
  afterAll(() => folder.remove());

  test('runs from the archive without an installation', async () => {
    const { stdout } = await execa('npx', ['--yes', archive, '--version'], {
      cwd: folder.cwd,
      env,
    });
    expect(stdout).toBe(manifest.version);
  });

  test('contains the command, its manual and the unbundled packages', async () => {
    expect(await readdir(join(prefix, 'bin'))).toEqual(['cictl']);
    const pages = await readdir(join(prefix, 'share/man/man1'));
    expect(pages).toContain('cictl-builds-list.1');
    expect(pages).toHaveLength(manifest.man.length);
    const packages = await readdir(join(prefix, 'lib/node_modules/cictl/node_modules'));
    expect(packages.filter((name) => /^\w/.test(name)).sort()).toEqual([
      'detect-libc',
      'jq-wasm',
      'libsql',
    ]);
  });

  test('knows its version', async () => {
    expect(await run(['--version'])).toMatchObject({ exitCode: 0, stdout: manifest.version });
  });

  test('lists builds and filters them with jq', async () => {
    const listed = await run(['builds', 'list', '--jq', '.[].number'], await withBuild());
    expect(listed).toMatchObject({ exitCode: 0, stdout: '7', stderr: '' });
  });

  test('runs a pipeline and a service', async () => {
    const home = await useHome();
    const hello = join(top, 'examples/hello');
    expect(await run(['run', hello, '--no-tty'], {}, home)).toMatchObject({ exitCode: 0 });
    const up = await run(['local', 'up', '--port', '0'], {}, home);
    try {
      expect(up).toMatchObject({ exitCode: 0 });
      const listed = await run(['builds', 'list', '--profile', 'local', '-o', 'json'], {}, home);
      expect(JSON.parse(listed.stdout)).toHaveLength(1);
    } finally {
      expect(await run(['local', 'down'], {}, home)).toMatchObject({ exitCode: 0 });
    }
  });

  test("without SQLite's binary, all except local commands work, and those say what is missing", async () => {
    const home = await useHome();
    const without = join(home.root, 'prefix');
    await cp(prefix, without, { recursive: true, verbatimSymlinks: true });
    const installed = join(without, 'lib/node_modules/cictl/node_modules/@libsql');
    expect(await readdir(installed)).not.toEqual([]);
    await rm(installed, { recursive: true });
    await mkdir(installed);

    const listed = await run(['builds', 'list', '-o', 'json'], await withBuild(), home, without);
    expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
    const plan = await run(['run', join(top, 'examples/hello'), '--plan'], {}, home, without);
    expect(plan).toMatchObject({ exitCode: 0, stderr: '' });
    for (const args of [
      ['local', 'up'],
      ['run', join(top, 'examples/hello')],
    ]) {
      const { exitCode, stdout, stderr } = await run(args, {}, home, without);
      expect({ exitCode, stdout, lines: stderr.split('\n') }).toEqual({
        exitCode: 10,
        stdout: '',
        lines: [
          expect.stringMatching(
            /^cictl: cannot load the package libsql, which the local service needs: .*@libsql\//,
          ),
          '  try: reinstall cictl with its optional dependencies (without --omit=optional)',
        ],
      });
    }
  });

  async function run(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    home: Home = folder,
    from = prefix,
  ) {
    return execa(join(from, 'bin/cictl'), args, {
      ...{ cwd: home.cwd, env: { ...home.env, ...env }, extendEnv: false, reject: false },
    });
  }
});

async function withBuild(): Promise<Record<string, string>> {
  const { url } = await serve([{ path: /^\/v2\/builds\?/, answer: { json: [{ number: 7 }] } }]);
  return { CICTL_BASE_URL: url, CICTL_TOKEN: 'token' };
}
