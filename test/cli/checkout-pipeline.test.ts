/** Finds the pipeline of a checkout by its remotes. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { createRepository } from '../support/git-repository.ts';
import { useHome, type Home } from '../support/home.ts';
import { serve, type Exchange } from '../support/server.ts';

interface Checkout {
  readonly home: Home;
  readonly cwd: string;
}

async function useCheckout(remote = 'git@ci.example:acme/web.git'): Promise<Checkout> {
  const home = await useHome();
  const { folder, git } = createRepository(join(home.root, 'checkout'));
  git('remote', 'add', 'origin', remote);
  return { home, cwd: folder };
}

/** Requires exactly these requests, in this order. */
async function run(args: readonly string[], checkout: Checkout, exchanges: readonly Exchange[]) {
  const { url, requests } = await serve(exchanges);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme' };
  const result = await cictl(args, { ...checkout, env });
  expect(requests.length).toBe(exchanges.length);
  return { ...result, url };
}

const listed = (...all: object[]): Exchange => ({
  path: '/v2/organizations/acme/pipelines?per_page=100&repository=acme%2Fweb',
  answer: { json: all },
});
const pipeline = (slug: string, repository: unknown) => ({ id: slug, slug, repository });
const web = pipeline('web', 'https://ci.example/acme/web');
const others = [pipeline('site', 'https://ci.example/acme/web-site'), pipeline('odd', null)];
const listOf = (path: string): Exchange => ({
  path: `/v2/organizations/acme/${path}?per_page=30`,
  answer: { json: [] },
});
const one = (number: number): Exchange => ({
  path: `/v2/organizations/acme/pipelines/web/builds/${number}`,
  answer: { json: { id: 'b', number, state: 'passed', jobs: [] } },
});

test.each([
  'git@ci.example:acme/web.git',
  'https://user:secret@CI.example/acme/web/',
  'ssh://git@ci.example:2222/acme/web.git',
])('%s is the repository of web', async (remote) => {
  const checkout = await useCheckout(remote);
  const list = listOf('pipelines/web/builds');
  expect((await run(['builds', 'list'], checkout, [listed(...others, web), list])).exitCode).toBe(
    0,
  );
  expect((await run(['builds', 'view', '12'], checkout, [listed(web), one(12)])).exitCode).toBe(0);
});

test('looks it up once, and not if a pipeline is named', async () => {
  const checkout = await useCheckout();
  const list = listOf('pipelines/web/builds');
  const { url } = await serve([listed(web), list, list, listOf('pipelines/site/builds'), one(3)]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme' };
  const more = { ...checkout, env };
  for (const args of [[], [], ['-p', 'site']]) await cictl(['builds', 'list', ...args], more);
  expect((await cictl(['builds', 'view', 'acme/web/3'], more)).exitCode).toBe(0);
  expect(await readdir(join(checkout.home.cacheDir, 'remembered'))).toHaveLength(1);
});

test('--no-cache neither reads nor writes the remembered pipeline', async () => {
  const checkout = await useCheckout();
  const args = ['builds', 'list', '--no-cache'];
  await run(args, checkout, [listed(web), listOf('pipelines/web/builds')]);
  await run(args, checkout, [listed(web), listOf('pipelines/web/builds')]);
  const folders = await readdir(checkout.home.cacheDir).catch(() => []);
  expect(folders).not.toContain('remembered');
});

test('--debug says which pipeline it uses, and why', async () => {
  const checkout = await useCheckout('https://user:secret@ci.example/acme/web.git');
  const args = ['builds', 'view', '12', '--debug'];
  const { stderr } = await run(args, checkout, [listed(web), one(12)]);
  expect(stderr).toContain("pipeline is acme/web: its repository is this checkout's remote\n");
  expect(stderr).not.toContain('secret');
});

test('without permission to list pipelines, searches the newest 100 builds', async () => {
  const refused = { ...listed(), answer: { status: 403, json: { message: 'Forbidden' } } };
  const builds = [{ number: 7 }, { number: 5, pipeline: web }, { number: 4, pipeline: web }];
  const path = '/v2/organizations/acme/builds?per_page=100';
  const exchanges = [refused, { path, answer: { json: builds } }, one(12)];
  expect((await run(['builds', 'view', '12'], await useCheckout(), exchanges)).exitCode).toBe(0);
});

test('a fork uses the pipeline of its parent project', async () => {
  const checkout = await useCheckout('git@ci.example:ada/fork.git');
  const { git } = createRepository(checkout.cwd);
  git('remote', 'add', 'upstream', 'git@ci.example:acme/web.git');
  const fork = { ...listed(), path: listed().path.toString().replace('acme%2Fweb', 'ada%2Ffork') };
  const exchanges = [fork, listed(web), one(12)];
  expect((await run(['builds', 'view', '12'], checkout, exchanges)).exitCode).toBe(0);
});

test('remembers no pipeline for a minute, and a pipeline until it is missing', async () => {
  const checkout = await useCheckout();
  const missing = {
    path: one(12).path,
    answer: { status: 404, json: { message: 'No pipeline found' } },
  };
  const all = {
    path: '/v2/organizations/acme/pipelines?per_page=100',
    answer: { json: [{ slug: 'site' }, { slug: 'webb' }] },
  };
  const { url, requests } = await serve([
    ...[listed(...others), listOf('builds'), listOf('builds')],
    ...[listed(web), one(12), missing, all, listed(web), one(12)],
  ]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme' };
  const command = (...args: string[]) => cictl(args, { ...checkout, env });
  for (const args of [[], []]) await command('builds', 'list', ...args);
  const folder = join(checkout.home.cacheDir, 'remembered');
  const [file = ''] = await readdir(folder);
  const entry = JSON.parse(await readFile(join(folder, file), 'utf8')) as { at: number };
  await writeFile(join(folder, file), JSON.stringify({ ...entry, at: entry.at - 60_000 }));
  await command('builds', 'view', '12');
  const { stderr, exitCode } = await command('builds', 'view', '12');
  expect([exitCode, stderr]).toEqual([
    7,
    expect.stringContaining('pipeline acme/web was not found; did you mean webb?'),
  ]);
  expect((await command('builds', 'view', '12')).exitCode).toBe(0);
  expect(requests).toHaveLength(9);
});

const twice = listed(web, pipeline('nightly', 'git@ci.example:acme/web'), ...others);

test('with several pipelines, builds list uses the organization', async () => {
  const list = listOf('builds');
  expect((await run(['builds', 'list'], await useCheckout(), [twice, list])).exitCode).toBe(0);
});

test.each([['builds view 12'], ['job list 12'], ['builds failures'], ['builds cancel 1 --yes']])(
  'with several pipelines, %s rejects and lists them',
  async (line) => {
    const { stderr, exitCode } = await run(line.split(' '), await useCheckout(), [twice]);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      'cictl: no pipeline given, and this checkout has several: web, nightly\n' +
        '  try: git config cictl.pipeline web\n',
    );
  },
);

test('without a pipeline, builds list uses the organization, and others suggest git config', async () => {
  const checkout = await useCheckout();
  const none = listed(...others);
  expect((await run(['builds', 'list'], checkout, [none, listOf('builds')])).exitCode).toBe(0);
  const { stderr, exitCode } = await run(['builds', 'view', '12', '--no-cache'], checkout, [none]);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('matches this checkout\n  try: git config cictl.pipeline SLUG\n'),
  ]);
});

/** A checkout of `acme/web`, and a current profile with the pipeline `site`. */
async function withProfile(exchanges: readonly Exchange[], remote?: string) {
  const checkout = await useCheckout(remote);
  const { url, requests } = await serve(exchanges);
  await mkdir(checkout.home.configDir, { recursive: true });
  const work = { baseUrl: url, org: 'acme', pipeline: 'site', token: 't' };
  await writeFile(
    join(checkout.home.configDir, 'profiles.json'),
    JSON.stringify({ current: 'work', profiles: { work } }),
    { mode: 0o600 },
  );
  return { requests, command: (line: string) => cictl(line.split(' '), checkout) };
}

const create = 'builds create -c HEAD -b main -m x --dry-run';

test("a change prefers the checkout's pipeline to the profile's", async () => {
  const { command } = await withProfile([listed(web)]);
  const { stdout, stderr } = await command(create);
  expect(stdout).toContain('/pipelines/web/builds\n');
  expect(stderr).toBe("using pipeline acme/web: its repository is this checkout's remote\n");
  expect((await command('builds cancel 3 --dry-run --yes')).stdout).toContain('/web/builds/3/');
  const named = await command(`${create} --profile work`);
  expect([named.stdout, named.stderr]).toEqual([expect.stringContaining('/site/builds\n'), '']);
});

const site = (repository: string): Exchange => ({
  path: '/v2/organizations/acme/pipelines/site',
  answer: { json: pipeline('site', repository) },
});

test.each([create, 'builds watch --timeout 20s'])(
  "%s does not use the profile's pipeline in a checkout of another repository",
  async (line) => {
    const { command } = await withProfile([listed(), site('git@ci.example:acme/site')]);
    const { stderr, exitCode } = await command(line);
    expect([exitCode, stderr]).toEqual([
      2,
      'cictl: pipeline acme/site (profile work) builds git@ci.example:acme/site, ' +
        'not this checkout of git@ci.example:acme/web.git\n' +
        '  try: -p SLUG, or git config cictl.pipeline SLUG\n',
    ]);
  },
);

test("uses the profile's pipeline if nothing contradicts it", async () => {
  const { command } = await withProfile([listed(), site('')]);
  const { stdout, stderr } = await command(create);
  expect(stdout).toContain('/pipelines/site/builds\n');
  expect(stderr).toBe('using pipeline acme/site: it is set in profile work\n');
});
