/** SQLite is a native addon: commands that do not use the local service work without it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtCictl as cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { serve } from '../support/server.ts';

const top = join(import.meta.dirname, '../..');
const noAddons = { NODE_OPTIONS: '--no-addons' };

type Contents = Readonly<Record<string, readonly string[]>>;
const contents = async (): Promise<Contents> =>
  JSON.parse(
    await readFile(join(top, 'node_modules/.cache/cictl/contents.json'), 'utf8'),
  ) as Contents;

/** A file of `dist` and everything that it loads statically. */
async function loadedWith(file: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const code = await readFile(join(top, 'dist', file), 'utf8');
  const atOnce = code.replaceAll(/\.then\(\(\)\s*=>[^;]*?require\([^)]*\)/g, '');
  for (const [, name = ''] of atOnce.matchAll(/require\([`"']\.\/([^`"']+)[`"']\)/g))
    await loadedWith(name, seen);
  return seen;
}

test('only local commands and run load the service', async () => {
  const files = await contents();
  const holding = (source: string): string[] =>
    Object.keys(files).filter((name) => files[name]?.some((path) => path.endsWith(source)));
  const [service = ''] = holding('/src/service/start-service.ts');
  const handlers = Object.values(files)
    .flat()
    .filter((path) => /\/src\/commands\/(?!local\/|run\/)\w+\/(?!index)[\w-]+\.ts$/.test(path));
  expect(handlers.length).toBeGreaterThan(30);
  for (const handler of [...handlers, '/src/config/store.ts', '/src/cache/log-cache.ts']) {
    for (const file of holding(handler)) {
      expect([...(await loadedWith(file))], handler).not.toContain(service);
    }
  }
});

const id = '0190046e-e199-453b-a302-a21a4d649d31';
const job = `web/7#${id}`;
const log = `/v2/organizations/acme/pipelines/web/builds/7/jobs/${id}/log.txt`;

test('reads a log where addons are not allowed', async () => {
  const answer = { headers: { 'content-type': 'text/plain' }, body: 'one\n' };
  const { url } = await serve([{ path: log, answer }]);
  const env = { ...noAddons, CICTL_BASE_URL: url, CICTL_TOKEN: 'token', CICTL_ORG: 'acme' };
  const { stdout, stderr, exitCode } = await cictl(['job', 'log', job, '--no-cache'], { env });
  expect([exitCode, stdout, stderr]).toEqual([0, 'one\n', '']);
});

test.each([
  [['profile', 'list'], 0],
  [['profile', 'set', 'org', 'acme'], 2],
  [['auth', 'status'], 6],
  [['completion', 'bash'], 0],
  [['local', 'status'], 9],
])('%j works the same where addons are not allowed', async (args, code) => {
  const { exitCode } = await cictl(args, { env: noAddons });
  expect(exitCode).toBe(code);
});

test.each([[['local', 'up']], [['local', 'up', '--foreground']], [['run', 'pipeline.yml']]])(
  '%j reports in one line that the package cannot be loaded',
  async (args) => {
    const home = await useHome();
    const cwd = join(top, 'examples/hello/.buildkite');
    const { exitCode, stdout, stderr } = await cictl(args, { home, cwd, env: noAddons });
    expect([exitCode, stdout]).toEqual([10, '']);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^cictl: cannot load the package libsql, .*addons/),
      expect.stringMatching(/^ {2}try: start Node without --no-addons/),
    ]);
  },
);
