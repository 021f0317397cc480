/** The pipeline of a checkout, by its remote, where nothing names one. */
import { readdir } from 'node:fs/promises';
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

/** Strict: each of these requests has to come, in this order, and no other. */
async function run(args: readonly string[], checkout: Checkout, exchanges: readonly Exchange[]) {
  const { url, requests } = await serve(exchanges);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme' };
  const result = await cictl(args, { ...checkout, env });
  expect(requests.length).toBe(exchanges.length);
  return { ...result, url };
}

const build = (slug: string, repository: string) => ({
  ...{ id: slug, number: 5, state: 'passed' },
  pipeline: { slug, repository },
});
const newest = (...builds: object[]): Exchange => ({
  path: '/v2/organizations/acme/builds?per_page=100',
  answer: { json: builds },
});
const web = build('web', 'https://ci.example/acme/web');
const others = [build('site', 'https://ci.example/acme/site'), build('odd', ''), { number: 7 }];
const listOf = (path: string): Exchange => ({
  path: `/v2/organizations/acme/${path}?per_page=30`,
  answer: { json: [] },
});
const one = (number: number): Exchange => ({
  path: `/v2/organizations/acme/pipelines/web/builds/${number}`,
  answer: { json: { ...web, number, jobs: [] } },
});

test.each([
  'git@ci.example:acme/web.git',
  'https://user:secret@CI.example/acme/web/',
  'ssh://git@ci.example:2222/acme/web.git',
])('%s is the repository of web', async (remote) => {
  const checkout = await useCheckout(remote);
  const list = listOf('pipelines/web/builds');
  expect(
    (await run(['builds', 'list'], checkout, [newest(...others, web, web), list])).exitCode,
  ).toBe(0);
  expect((await run(['builds', 'view', '12'], checkout, [newest(web), one(12)])).exitCode).toBe(0);
});

test('it is looked up once, and not at all where a pipeline is named', async () => {
  const checkout = await useCheckout();
  const list = listOf('pipelines/web/builds');
  const { url } = await serve([newest(web), list, list, listOf('pipelines/site/builds'), one(3)]);
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 't', CICTL_ORG: 'acme' };
  const more = { ...checkout, env };
  for (const args of [[], [], ['-p', 'site']]) await cictl(['builds', 'list', ...args], more);
  expect((await cictl(['builds', 'view', 'acme/web/3'], more)).exitCode).toBe(0);
  expect(await readdir(join(checkout.home.cacheDir, 'remembered'))).toHaveLength(1);
});

test('--no-cache neither reads nor writes what is remembered', async () => {
  const checkout = await useCheckout();
  const args = ['builds', 'list', '--no-cache'];
  await run(args, checkout, [newest(web), listOf('pipelines/web/builds')]);
  await run(args, checkout, [newest(web), listOf('pipelines/web/builds')]);
  const folders = await readdir(checkout.home.cacheDir).catch(() => []);
  expect(folders).not.toContain('remembered');
});

test('--debug says which it is and whence', async () => {
  const checkout = await useCheckout('https://user:secret@ci.example/acme/web.git');
  const args = ['builds', 'view', '12', '--debug'];
  const { stderr } = await run(args, checkout, [newest(web), one(12)]);
  expect(stderr).toContain(
    'the remote https://ci.example/acme/web.git is that of web, by the newest 100 builds of acme\n',
  );
  expect(stderr).not.toContain('secret');
});

const twice = newest(web, build('nightly', 'git@ci.example:acme/web'), ...others);

test('of several builds list takes the organization', async () => {
  const list = listOf('builds');
  expect((await run(['builds', 'list'], await useCheckout(), [twice, list])).exitCode).toBe(0);
});

test.each([['builds view 12'], ['job list 12'], ['builds failures'], ['annotations list latest']])(
  'of several %s takes none, and names them',
  async (line) => {
    const { stderr, exitCode } = await run(line.split(' '), await useCheckout(), [twice]);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      'cictl: which pipeline? The remote git@ci.example:acme/web.git is that of web, nightly\n' +
        '  try: git config cictl.pipeline web\n',
    );
  },
);

test('where no pipeline has the remote, builds list takes the organization, and others say so', async () => {
  const checkout = await useCheckout();
  const none = newest(...others);
  expect((await run(['builds', 'list'], checkout, [none, listOf('builds')])).exitCode).toBe(0);
  const { stderr, exitCode } = await run(['builds', 'view', '12'], checkout, [none]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
  expect(stderr).toContain('no pipeline is known');
});

test.each([['builds cancel 12 --yes'], ['job retry 12#unit'], ['builds create -m x']])(
  '%s changes something, and asks nobody for its pipeline',
  async (line) => {
    const { stderr, exitCode } = await run(line.split(' '), await useCheckout(), []);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('no pipeline is known');
  },
);
