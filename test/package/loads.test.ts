/** Loaded code determines how long a command takes to start. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { builtCictl as cictl } from '../support/cli.ts';
import { useHome, useHomeWithoutCache, type Home } from '../support/home.ts';
import { serve, type Exchange } from '../support/server.ts';

const top = join(import.meta.dirname, '../..');

test.each([
  [['--version']],
  [['--help']],
  [[]],
  [['help', 'exit-codes']],
  [['builds', 'list', '--help']],
  [['build', 'ls', '-h']],
  [['completion', 'bash']],
  [['completion', 'powershell']],
])('%j loads nothing of the bundle', async (args) => {
  const { bundle, external } = await loaded(args);
  expect({ bundle, external }).toEqual({ bundle: [], external: [] });
});

test.each([[['--version']], [['--help']], [['completion', 'bash']]])(
  '%j is printed without a stream',
  async (args) => {
    const { modules } = await nodeModules(args);
    expect(modules).toContain('NativeModule fs');
    expect(modules.filter((name) => /^NativeModule (?:net|tty|stream)$/.test(name))).toEqual([]);
  },
);

interface Asking {
  readonly args: readonly string[];
  /** The requests that it sends. */
  readonly exchanges: readonly Exchange[];
}

const list: Asking = {
  args: ['builds', 'list'],
  exchanges: [{ path: /^\/v2\/builds\?/, answer: { json: [] } }],
};
const log: Asking = {
  args: ['job', 'log', 'acme/web/7#0190046e-e199-453b-a302-000000000000'],
  exchanges: [
    { path: /\/log\.txt$/, answer: { body: '\x1b[32m✓\x1b[0m passed\n' } },
    { path: /\/builds\/7\?/, answer: { json: { number: 7, jobs: [] } } },
  ],
};

/** Every command line is parsed with these, and misspelled words are corrected. */
const parser = ['commander', 'fastest-levenshtein'];

test('an invalid line loads the parser and the suggestions', async () => {
  const { packages, external, bundle } = await loaded(['builds', 'list', '--nonsense']);
  expect([...packages, ...external]).toEqual(parser);
  expect(bundle).toEqual(['main', 'main.cjs', 'meant']);
});

test('a plain list loads only the parser, the HTTP client and a JSON reader', async () => {
  const { packages, external, bundle, exitCode } = await loaded(list.args, await serviceFor(list));
  expect(exitCode).toBe(0);
  expect(packages).toEqual([...parser, 'lossless-json', 'undici']);
  expect(external).toEqual([]);
  expect(bundle).toEqual(['main', 'main.cjs', 'undici-transport', 'work']);
});

test('mcp loads its package, and no service before the first call', async () => {
  const { packages, external, bundle, exitCode } = await loaded(['mcp']);
  expect(exitCode).toBe(0);
  expect(packages).toEqual(['@modelcontextprotocol/sdk', ...parser, 'lossless-json', 'zod']);
  expect(external).toEqual([]);
  expect(bundle.filter((name) => /service|store|undici|table/.test(name))).toEqual([]);
});

/** A build with everything that a table of builds shows, and text that must be measured. */
const tableOf = (message: string): Asking => ({
  args: ['builds', 'list', '-o', 'table'],
  exchanges: [
    {
      path: /^\/v2\/builds\?/,
      answer: { json: [{ id: '1', number: 7, state: 'passed', branch: 'main', message }] },
    },
  ],
});

test.each(['Add a table', 'Größe 日本語 🚀 → “x”'])(
  'a table of %j does not load the emoji data',
  async (message) => {
    const table = tableOf(message);
    const env = await serviceFor(table);
    const { packages, external, bundle, stdout } = await loaded(table.args, env);
    expect(stdout).toContain(`✓ passed  main    ${message}`);
    expect(packages).toEqual([...parser, 'cli-table3', 'lossless-json', 'undici'].sort());
    expect(external).toEqual([]);
    expect(bundle.filter((name) => /table|width/.test(name))).toEqual(['table', 'width']);
  },
);

test('a table loads it if characters combine', async () => {
  const table = tableOf('family 👩‍👩‍👧‍👦.');
  const { packages, bundle, stdout } = await loaded(table.args, await serviceFor(table));
  expect(stdout).toContain('family 👩‍👩‍👧‍👦.');
  expect(packages).toContain('string-width');
  expect(bundle).toContain('string-width.cjs');
});

test.each([
  ['Add a table', false],
  ['Größe 日本語 🚀 → “x”', false],
  ['e\u0301', true],
])('a table of %j creates a segmenter: %j', async (message, isMade) => {
  const table = tableOf(message);
  const folder = await temporary();
  const [script, file] = [join(folder, 'count.cjs'), join(folder, 'count')];
  await writeFile(
    script,
    `let made = 0;
    const { Segmenter } = Intl;
    Intl.Segmenter = class extends Segmenter { constructor() { super(); made++; } };
    process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, String(made)));`,
  );
  const env = { ...(await serviceFor(table)), NODE_OPTIONS: `--require=${script}` };
  expect((await cictl(table.args, { home: await useHome(), env })).exitCode).toBe(0);
  expect(Number(await readFile(file, 'utf8')) > 0).toBe(isMade);
});

test('a job log loads neither width code nor the service', async () => {
  const { packages, external, exitCode } = await loaded(log.args, await serviceFor(log));
  expect(exitCode).toBe(0);
  expect(packages).toEqual([...parser, 'get-east-asian-width', 'lossless-json', 'undici']);
  expect(external).toEqual([]);
});

const words: Asking = {
  args: ['__complete', '--', '-p', 'web', '--org', 'acme', 'builds', 'view', ''],
  exchanges: [{ path: /\/pipelines\/web\/builds\?/, answer: { json: [{ number: 7 }] } }],
};

test('completion of words loads neither settings nor requests', async () => {
  const { bundle, packages, stdout } = await loaded(['__complete', '--', 'builds', 'li']);
  expect(stdout).toContain('list\t');
  expect(packages).toEqual(parser);
  expect(bundle).toEqual(['complete', 'main', 'main.cjs', 'topics']);
});

test('completion of values loads requests, and from the cache not even those', async () => {
  const home = await useHome();
  const env = await serviceFor(words);
  const own = ['cache', 'complete', 'look-up', 'main', 'main.cjs'];
  const rest = ['topics', 'undici-transport'];
  const first = await loaded(words.args, env, home);
  expect(first).toMatchObject({ bundle: [...own, 'request', ...rest, 'work'], external: [] });
  const second = await loaded(words.args, env, home);
  expect(second).toMatchObject({ bundle: [...own, 'topics'], stdout: first.stdout });
});

test('the page of a log loads emojis without the service', async () => {
  // The job is requested first, for the head of the page.
  const page = { ...log, exchanges: log.exchanges.toReversed() };
  const args = [...log.args, '--format', 'html'];
  const { packages, bundle, exitCode } = await loaded(args, await serviceFor(page));
  expect(exitCode).toBe(0);
  expect(packages).toContain('emojibase-data');
  expect(bundle.filter((name) => /service|hono|store/.test(name))).toEqual([]);
});

test("a build report loads the pages' code without the service", async () => {
  const report = {
    args: ['builds', 'report', 'acme/web/7', '--logs', 'none'],
    exchanges: [
      { path: /\/builds\/7\?/, answer: { json: { number: 7, jobs: [] } } },
      { path: /\/annotations\?/, answer: { json: [] } },
    ],
  };
  const { packages, bundle, exitCode } = await loaded(report.args, await serviceFor(report));
  expect(exitCode).toBe(0);
  expect(packages).toContain('hono');
  expect(bundle.filter((name) => /service|store|page-server/.test(name))).toEqual([]);
});

test('a plan reads its file without the service', async () => {
  const pipeline = join(top, 'examples/hello');
  const { packages, external, bundle, exitCode } = await loaded(['run', pipeline, '--plan']);
  expect(exitCode).toBe(0);
  expect(packages).toContain('yaml');
  expect(packages.filter((name) => /hono|undici|graphql/.test(name))).toEqual([]);
  expect(external).toEqual([]);
  expect(bundle).not.toContain('service');
});

const isOfPages = (source: string): boolean =>
  /\/src\/pages\/|\/src\/service\/pages\/(?!(?:page-paths|page-routes|refuse-api)\.ts)|\/hono\/dist\/jsx\//.test(
    source,
  );

test.each([
  ['nothing of its pages', [], false],
  ['its pages with the first of them', ['/'], true],
])('the service loads at startup %s', async (_, paths, areLoaded) => {
  const home = await useHome();
  const folder = await temporary();
  const env = { NODE_V8_COVERAGE: folder };
  const { stdout, exitCode } = await cictl(['local', 'up'], { home, env });
  try {
    for (const path of paths) await fetch(new URL(path, stdout.trim()));
  } finally {
    await cictl(['local', 'down'], { home });
  }
  expect(exitCode).toBe(0);
  const files = ownFiles(await scripts(folder));
  expect(files).toContain('service.cjs');
  expect((await sourcesIn(files)).some(isOfPages)).toBe(areLoaded);
});

test.each([
  { name: 'a plain list', command: list, more: [] },
  // The log cache names its files by a hash.
  { name: 'a job log', command: log, more: ['crypto'] },
])('$name loads what an HTTP request needs from Node', async ({ command, more }) => {
  const { modules, exitCode } = await nodeModules(command.args, await serviceFor(command));
  expect(exitCode).toBe(0);
  expect(modules).toContain('NativeModule net');
  const dear = [
    'child_process',
    'crypto',
    'dgram',
    'http',
    'http2',
    'perf_hooks',
    'readline',
    'tls',
    'worker_threads',
    'zlib',
  ];
  const found = dear.filter((name) => modules.includes(`NativeModule ${name}`));
  expect(found).toEqual(more);
});

test.each([
  [['profile', 'list'], true],
  [['--version'], false],
  [['--help'], false],
  [['profile', 'list', '--no-cache'], false],
])("%j keeps Node's compiled code: %j", async (args, kept) => {
  const home = await useHomeWithoutCache();
  await cictl(args, { home });
  expect(await readdir(home.cacheDir).catch(() => [])).toEqual(kept ? ['compiled'] : []);
});

async function serviceFor({ exchanges }: Asking): Promise<Record<string, string>> {
  const { url } = await serve(exchanges);
  return { CICTL_BASE_URL: url, CICTL_TOKEN: 'token' };
}

/** The built-in modules that a command loads. */
async function nodeModules(args: readonly string[], env: Record<string, string> = {}) {
  const folder = await temporary();
  const [script, file] = [join(folder, 'list.cjs'), join(folder, 'modules')];
  await writeFile(
    script,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, process.moduleLoadList.join('\\n')));`,
  );
  const NODE_OPTIONS = `--require=${script}`;
  const { exitCode } = await cictl(args, { home: await useHome(), env: { ...env, NODE_OPTIONS } });
  return { exitCode, modules: (await readFile(file, 'utf8')).split('\n') };
}

interface Loaded {
  readonly exitCode: number;
  readonly stdout: string;
  /** Files of `dist` in alphabetical order, without the hash. */
  readonly bundle: readonly string[];
  /** Packages with code in those files. */
  readonly packages: readonly string[];
  /** Packages loaded from `node_modules`. */
  readonly external: readonly string[];
}

/** Node records which scripts a process ran if coverage is enabled. */
async function loaded(
  args: readonly string[],
  env: Record<string, string> = {},
  given?: Home,
): Promise<Loaded> {
  const home = given ?? (await useHome());
  const folder = await temporary();
  const run = await cictl(args, { home, env: { ...env, NODE_V8_COVERAGE: folder } });
  const urls = await scripts(folder);
  const files = ownFiles(urls);
  const bundle = files.sort().map((name) => name.replace(/-\w{8}\.cjs$/, ''));
  const external = urls.flatMap((url) => packageOf(url) ?? []);
  const { exitCode, stdout } = run;
  const packages = await packagesIn(files);
  return { exitCode, stdout, bundle, packages, external: unique(external) };
}

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-loads-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The files of `dist` among them. */
const ownFiles = (urls: readonly string[]): string[] =>
  urls
    .filter((url) => !url.includes('/node_modules/'))
    .flatMap((url) => /\/dist\/([^/]+)$/.exec(url)?.[1] ?? []);

interface Coverage {
  readonly result: readonly { readonly url: string }[];
}

async function scripts(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  const reports = await Promise.all(files.map((file) => json<Coverage>(join(folder, file))));
  expect(reports).not.toEqual([]);
  return reports.flatMap(({ result }) => result.map(({ url }) => url));
}

/** Maps files of `dist` to the sources in them, as recorded by the build. */
type Contents = Readonly<Record<string, readonly string[]>>;

const packagesIn = async (files: readonly string[]): Promise<string[]> =>
  unique((await sourcesIn(files)).flatMap((source) => packageOf(source) ?? []));

async function sourcesIn(files: readonly string[]): Promise<string[]> {
  const contents = await json<Contents>(join(top, 'node_modules/.cache/cictl/contents.json'));
  return files.flatMap((name) => {
    const inFile = contents[name];
    if (inFile === undefined) throw new Error(`dist/${name} is not of the last build`);
    return inFile;
  });
}

const packageOf = (path: string): string | undefined =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();
const json = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, 'utf8')) as T;
