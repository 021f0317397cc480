/** What a command loads is what it costs to start. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { serve } from '../support/server.ts';

const top = join(import.meta.dirname, '../..');

test('--version loads nothing of the bundle', async () => {
  const { bundle, external } = await loaded(['--version']);
  expect({ bundle, external }).toEqual({ bundle: [], external: [] });
});

test.each([[['--help']], [['builds', 'list', '--help']], [['builds', 'list', '--nonsense']]])(
  '%j loads no package',
  async (args) => {
    const { packages, external } = await loaded(args);
    expect([...packages, ...external]).toEqual([]);
  },
);

test('a plain list loads the HTTP client, a JSON reader and nothing more', async () => {
  const server = await serve([{ path: /^\/v2\/builds\?/, answer: { json: [] } }]);
  const env = { CICTL_BASE_URL: server.url, CICTL_TOKEN: 'token' };
  const { packages, external, exitCode } = await loaded(['builds', 'list'], env);
  expect(exitCode).toBe(0);
  expect(packages).toEqual(['lossless-json', 'undici']);
  expect(external).toEqual([]);
});

interface Loaded {
  readonly exitCode: number;
  /** Files of `dist`. */
  readonly bundle: readonly string[];
  /** Packages whose code is in those files. */
  readonly packages: readonly string[];
  /** Packages loaded from `node_modules`. */
  readonly external: readonly string[];
}

/** Node writes down which scripts a process ran, where it is asked for their coverage. */
async function loaded(args: readonly string[], env: Record<string, string> = {}): Promise<Loaded> {
  const home = await useHome();
  const folder = await mkdtemp(join(tmpdir(), 'cictl-loads-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { exitCode } = await cictl(args, { home, env: { ...env, NODE_V8_COVERAGE: folder } });
  const urls = await scripts(folder);
  const bundle = urls.flatMap((url) => /\/dist\/([^/]+)$/.exec(url)?.[1] ?? []);
  const external = urls.flatMap((url) => packageOf(url) ?? []);
  return { exitCode, bundle, packages: await packagesIn(bundle), external: unique(external) };
}

interface Coverage {
  readonly result: readonly { readonly url: string }[];
}

async function scripts(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  const reports = await Promise.all(files.map((file) => json<Coverage>(join(folder, file))));
  expect(reports).not.toEqual([]);
  return reports.flatMap(({ result }) => result.map(({ url }) => url));
}

interface Meta {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, unknown>> }>
  >;
}

async function packagesIn(bundle: readonly string[]): Promise<string[]> {
  const { outputs } = await json<Meta>(join(top, 'node_modules/.cache/cictl/meta.json'));
  const inputs = bundle.flatMap((name) => Object.keys(outputs[`dist/${name}`]?.inputs ?? {}));
  return unique(inputs.flatMap((input) => packageOf(input) ?? []));
}

const packageOf = (path: string): string | undefined =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();
const json = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, 'utf8')) as T;
