/** `local open` opens the pages of the built-in service, signed in. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pipelineIn } from '../run/pipelines.ts';
import { cictl } from '../support/cli.ts';
import { createHome, useHome, type Home } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve } from '../support/server.ts';
import { asBrowser, follow } from '../support/sign-in.ts';
import { sampled } from '../support/full.ts';

let home: Home;
/** The URL of the service. */
let url: string;
/** The ID of the job `unit` in the first build of `demo`. */
let job: string;
/** The ID of its block step. */
let block: string;

const local = (...args: string[]) => cictl(['local', ...args], { home });

beforeAll(async () => {
  home = await createHome();
  const steps = '[{ command: "true", key: unit }, { block: Go, key: go }]';
  const folder = await pipelineIn(home, 'demo', `steps: ${steps}`);
  await mkdir(join(folder, 'deep'));
  await pipelineIn(home, 'bare', "steps: [{ command: 'true' }]");
  await local('pipeline', 'add', join(home.cwd, 'bare'));
  await cictl(['run', 'demo'], { home });
  url = (await local('up')).stdout.trim();
  const { stdout } = await cictl(['job', 'list', 'demo/1', '--json'], { home });
  const jobs = JSON.parse(stdout) as { id: string; type: string }[];
  const idOf = (type: string): string => jobs.find((one) => one.type === type)?.id ?? '?';
  [job, block] = [idOf('script'), idOf('manual')];
});

afterAll(async () => {
  await local('down');
  await home.remove();
});

/** The path of the page that the printed URL leads to. */
function pageOf(stdout: string): string {
  const address = new URL(stdout);
  expect(stdout).toBe(`${address.href}\n`);
  expect(address.origin + address.pathname).toBe(`${url}/-/sign-in`);
  return address.searchParams.get('to') ?? '';
}

async function opened(args: readonly string[], cwd = home.cwd): Promise<string> {
  // An existing browser would be started.
  const env = { BROWSER: '/nowhere/browser' };
  const { stdout, stderr, exitCode } = await cictl(['local', 'open', ...args], { home, cwd, env });
  expect([exitCode, stderr]).toEqual([0, '']);
  return pageOf(stdout);
}

test('prints a URL that signs in once and opens the page', async () => {
  const { stdout } = await local('open', 'demo/1');
  const look = await follow(stdout.trim());
  const page = await look(pageOf(stdout));
  expect(page.status).toBe(200);
  const again = await fetch(stdout.trim(), { headers: asBrowser, redirect: 'manual' });
  expect(again.status).toBe(401);
});

sampled.each([
  ['demo', '/local/demo'],
  ['local/demo', '/local/demo'],
  ['local', '/local'],
  ['demo/1', '/local/demo/builds/1'],
  ['demo/latest', '/local/demo/builds/1'],
  ['local/demo/1', '/local/demo/builds/1'],
])('%s is the page %s', async (text, path) => {
  expect(await opened([text])).toBe(path);
});

sampled.each([
  ['demo/1#unit', () => `/local/demo/builds/1/jobs/${job}`],
  ['demo/1#go', () => `/local/demo/builds/1#${block}`],
])(
  'a job has its page, a step without a log a place on that of its build: %s',
  async (text, path) => {
    expect(await opened([text])).toBe(path());
  },
);

test("a job's id is enough", async () => {
  expect(await opened([job])).toBe(`/local/demo/builds/1/jobs/${job}`);
  expect(await opened([block.toUpperCase()])).toBe(`/local/demo/builds/1#${block}`);
});

sampled.each([
  ['/local/demo/builds?state=failed&page=2#x', '/local/demo/builds?state=failed&page=2#x'],
  ['/organizations/local/agents/x', '/organizations/local/agents/x'],
  ['/local/', '/local/'],
  ['/local/demo/stats', '/local/demo/stats'],
  ['/local/demo/builds/new', '/local/demo/builds/new'],
  ['/v2/organizations/local', '/local'],
  ['/avatars/x', '/avatars/x'],
  ['/', '/'],
  ['/-/sign-in?code=old&to=%2Flocal%2Fdemo%23x', '/local/demo#x'],
  ['/local/demo/builds/1#jobs', '/local/demo/builds/1#jobs'],
  ['/v2/organizations/local/pipelines/demo', '/local/demo'],
  ['/v2/organizations/local/pipelines/demo/builds/1', '/local/demo/builds/1'],
])('the address %s is the page %s', async (address, path) => {
  expect(await opened([url + address])).toBe(path);
});

test('a URL of a job in any form opens it', async () => {
  const build = '/local/demo/builds/1';
  const page = `${build}/jobs/${job}`;
  expect(await opened([`${url}${page}#L3`])).toBe(`${page}#L3`);
  expect(await opened([`${url}${build}#${job}`])).toBe(`${build}#${job}`);
  expect(await opened([`${url}${build}#unit`])).toBe(page);
  expect(await opened([`${url}${build}?jid=${job}`])).toBe(page);
  const rest = `/v2/organizations/local/pipelines/demo/builds/1/jobs`;
  expect(await opened([`${url}${rest}/${job}/log`])).toBe(page);
  expect(await opened([`${url}${rest}/${block}`])).toBe(`${build}#${block}`);
});

const noJob = '00000000-0000-0000-0000-000000000000';

sampled.each([
  ['/local/demo/builds/9', 'build local/demo/9'],
  ['/local/demo/builds/9#jobs', 'build local/demo/9'],
  ['/v2/organizations/local/pipelines/demo/builds/9', 'build local/demo/9'],
  [`/local/demo/builds/1/jobs/${noJob}`, noJob],
  [`/local/demo/builds/1#${noJob}`, noJob],
  ['/local/none', 'no pipeline "local/none"'],
  ['/local/none/builds?page=2', 'no pipeline "local/none"'],
  ['/local/none/stats', 'no pipeline "local/none"'],
  ['/none', 'organization'],
  ['/demo', 'organization'],
  ['/v2/organizations/none', 'organization'],
  ['/v2/organizations/none/pipelines/demo', 'organization'],
  ['/v2/organizations/local/pipelines/none', 'no pipeline "local/none"'],
])('the address %s of what is not there is code 7', async (address, words) => {
  const { exitCode, stdout, stderr } = await local('open', url + address);
  expect([exitCode, stdout]).toEqual([7, '']);
  expect(stderr).toContain(words);
});

test("an old URL opens the service's current address", async () => {
  const port = Number(new URL(url).port);
  const old = `127.0.0.1:${port === 1234 ? 1235 : 1234}/local/demo/builds/1`;
  const { stdout, stderr } = await local('open', old);
  expect(pageOf(stdout)).toBe('/local/demo/builds/1');
  expect(stderr).toBe(`the local service is now at ${url}; opening the same page there\n`);
});

sampled.each([
  ['the folder of a pipeline', 'demo', '/local/demo'],
  ['a folder below', 'demo/deep', '/local/demo'],
  ['another one', '', '/'],
])('without an argument, in %s', async (_, folder, path) => {
  expect(await opened([], join(home.cwd, folder))).toBe(path);
});

sampled.each([
  [['--pipeline', 'demo'], '/local/demo'],
  [['--org', 'local'], '/local'],
  [['--org', 'local', '--pipeline', 'bare'], '/local/bare'],
])('without an argument, with %j', async (flags, path) => {
  expect(await opened(flags, join(home.cwd, 'demo'))).toBe(path);
});

test('without an argument, opens the pipeline of the checkout', async () => {
  const checkout = join(home.root, 'checkout');
  await execa('git', ['init', '--quiet', checkout], { env: home.env });
  const remote = 'https://git.example/acme/web.git';
  await execa('git', ['-C', checkout, 'remote', 'add', 'origin', remote], { env: home.env });
  expect(await opened([], checkout)).toBe('/');
  await writeFile(join(checkout, 'pipeline.yml'), "steps: [{ command: 'true' }]");
  await cictl(['run', '--pipeline', 'web'], { home, cwd: checkout });
  const other = join(home.root, 'other');
  await execa('git', ['init', '--quiet', other], { env: home.env });
  await execa('git', ['-C', other, 'remote', 'add', 'origin', remote], { env: home.env });
  expect(await opened(['--no-cache'], other)).toMatch(/^\/local\/\w+$/);
});

sampled.each([
  [['open', 'none'], 7, 'no pipeline "none"'],
  [['open', 'demmo'], 7, 'no pipeline "demmo"; did you mean demo?'],
  [['open', 'none', '--org', 'acme'], 7, 'organization'],
  [['open', '--pipeline', 'none'], 7, 'no pipeline "none"'],
  [['open', '--org', 'none'], 7, 'organization'],
  [['open', 'demo/9'], 7, 'build local/demo/9'],
  [['open', 'demo/1#none'], 7, 'has no job "none"'],
  [['open', '00000000-0000-0000-0000-000000000000'], 7, 'no job "0'],
  [['open', 'https://ci.example/acme/web/builds/1'], 2, 'does not belong to the service'],
  [['open', 'a/b/c/d'], 2, ''],
  [['open', 'http://['], 2, 'is not a valid URL'],
  [['open', '--fields', 'none'], 2, 'none'],
])('local %j is code %i', async (args, code, words) => {
  const { exitCode, stdout, stderr } = await local(...args);
  expect([exitCode, stdout]).toEqual([code, '']);
  expect(stderr).toContain(words);
  expect(stderr).not.toContain('code=');
});

test('--json prints the URL and the page', async () => {
  const { stdout } = await local('open', 'demo/1', '--json');
  const { url: address, page } = JSON.parse(stdout) as { url: string; page: string };
  expect(page).toBe(`${url}/local/demo/builds/1`);
  expect(pageOf(`${address}\n`)).toBe('/local/demo/builds/1');
});

test('--fields selects what is printed', async () => {
  const { stdout } = await local('open', 'demo/1', '--fields', 'page');
  expect(stdout).toBe(`${url}/local/demo/builds/1\n`);
});

test('starts a stopped service', async () => {
  const own = await useHome();
  onTestFinished(() => cictl(['local', 'down'], { home: own }).then(() => undefined));
  const { exitCode, stdout, stderr } = await cictl(['local', 'open'], { home: own });
  expect([exitCode, stderr]).toEqual([0, 'started the local service; profile "local" uses it\n']);
  const look = await follow(stdout.trim());
  expect((await look('/')).status).toBe(200);
  expect((await cictl(['builds', 'list'], { home: own })).exitCode).toBe(0);
});

test('the session uses the current token if it belongs to this service', async () => {
  await local('org', 'add', 'second');
  const { stdout: token } = await local('token', 'create', '--org', 'second');
  const narrow = await homeOf({ CICTL_BASE_URL: url, CICTL_TOKEN: token.trim() });
  expect([narrow.includes('"/second"'), narrow.includes('"/local"')]).toEqual([true, false]);
  const foreign = await homeOf({ CICTL_BASE_URL: 'https://ci.example', CICTL_TOKEN: token.trim() });
  expect(foreign).toContain('"/local"');
});

async function homeOf(env: Record<string, string>): Promise<string> {
  const { stdout, stderr } = await cictl(['local', 'open', url], { home, env });
  expect(stderr).toBe('');
  const look = await follow(stdout.trim());
  return (await look('/')).text();
}

test("a new organization opens with the profile's token too", async () => {
  await local('org', 'add', 'newer');
  const { stdout } = await cictl(['local', 'open', 'newer'], { home });
  const look = await follow(stdout.trim());
  expect((await look('/newer')).status).toBe(200);
  expect(await (await look('/')).text()).toContain('"/newer"');
});

test('an invalid token cannot sign in and exits with 6', async () => {
  const env = { CICTL_BASE_URL: url, CICTL_TOKEN: 'none' };
  const { exitCode, stdout, stderr } = await cictl(['local', 'open'], { home, env });
  expect([exitCode, stdout]).toEqual([6, '']);
  expect(stderr).toContain('the token from CICTL_TOKEN');
});

test('a profile with a token of an earlier data directory exits with 6 and a next step', async () => {
  const own = await useHome();
  const file = join(own.configDir, 'profiles.json');
  await mkdir(own.configDir, { mode: 0o700 });
  const stale = { baseUrl: url, token: 'stale', org: 'local' };
  await writeFile(file, JSON.stringify({ current: 'local', profiles: { local: stale } }));
  const env = { CICTL_DATA_DIR: home.dataDir };
  const { exitCode, stdout, stderr } = await cictl(['local', 'open'], { home: own, env });
  expect([exitCode, stdout]).toEqual([6, '']);
  expect(stderr).toContain('the token from profile local');
  expect(stderr).toContain('try: cictl local up\n');
  await cictl(['local', 'up'], { home: own, env });
  expect((await cictl(['local', 'open'], { home: own, env })).exitCode).toBe(0);
});

test('an older service without pages must be restarted, and exits with 8', async () => {
  const own = await useHome();
  const { url: old } = await serve([
    { path: '/local/v1/status', answer: { json: { url: 'x' } } },
    { path: '/local/v1/organizations/local/pipelines', answer: { json: [] } },
    {
      method: 'POST',
      path: '/local/v1/sign-in-codes',
      answer: { status: 404, json: { message: 'Not Found' } },
    },
  ]);
  const state = { url: old, pid: process.pid, adminToken: 'a', token: 't', agentToken: 'g' };
  await mkdir(own.dataDir, { mode: 0o700 });
  await writeFile(join(own.dataDir, 'service.json'), JSON.stringify(state));
  const { exitCode, stdout, stderr } = await cictl(['local', 'open'], { home: own });
  expect([exitCode, stdout]).toEqual([8, '']);
  expect(stderr).toBe(
    'cictl: the local service is an older version without web pages\n' +
      '  try: cictl local down && cictl local up\n',
  );
});

test.skipIf(!hasTerminal)('on a terminal, a browser opens a file that leads there', async () => {
  const [browser, seen] = [join(home.root, 'browser'), join(home.root, 'seen')];
  // The file is removed once its code has been used.
  const script = `echo "$1" > ${seen}.part; cat "\${1#file://}" >> ${seen}.part; mv ${seen}.part ${seen}`;
  await writeFile(browser, `#!/bin/sh\n${script}\n`);
  await chmod(browser, 0o755);
  const { screen, exitCode } = await cictlInTerminal(['local', 'open', 'demo'], {
    ...{ home, env: { BROWSER: browser }, columns: 300 },
  });
  expect(exitCode).toBe(0);
  const read = () => readFile(seen, 'utf8').catch(() => '');
  await expect.poll(read).toContain(screen.trim().replaceAll('&', '&amp;'));
  const [argument = ''] = (await read()).split('\n');
  expect(argument).toMatch(/^file:\/\/.*\/cictl-sign-in-[\w-]+\.html$/);
  expect(argument).toContain(home.env['HOME']);
  expect(await follow(screen.trim())).toBeTypeOf('function');
});
