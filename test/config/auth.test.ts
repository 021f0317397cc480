import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cictl, type CliOptions } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve, type Exchange } from '../support/server.ts';
import { sampled } from '../support/full.ts';

const check = (token: string): Exchange => ({
  path: '/v2/access-token',
  headers: { authorization: `Bearer ${token}` },
  answer: { json: { uuid: 'u-1', scopes: ['read_builds', 'write_builds'] } },
});
const refuse: Exchange = {
  path: '/v2/access-token',
  answer: { status: 401, json: { message: 'Authentication required.' } },
};
const revoke = (token: string): Exchange => ({
  method: 'DELETE',
  path: '/v2/access-token',
  headers: { authorization: `Bearer ${token}` },
  answer: { status: 204 },
});
const metrics = (token: string): Exchange => ({
  path: '/v3/metrics',
  headers: { authorization: `Token ${token}` },
  answer: { json: { agents: {}, jobs: {}, organization: { slug: 'acme' } } },
});

const profileFile = (home: Home): string => join(home.configDir, 'profiles.json');

const stored = async (home: Home): Promise<unknown> =>
  JSON.parse(await readFile(profileFile(home), 'utf8'));

const keep = async (home: Home, content: unknown): Promise<void> => {
  await mkdir(home.configDir, { recursive: true });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  await writeFile(profileFile(home), text);
};

test('checks a token, then stores it readable only by its user', async () => {
  const home = await useHome();
  const { url } = await serve([check('s3cr3t'), check('s3cr3t')]);
  const args = ['auth', 'login', '--service', url, '--profile', 'one', '--with-token'];
  const login = await cictl(args, { home, stdin: 's3cr3t\n' });
  expect(login).toMatchObject({ exitCode: 0, stdout: '' });
  expect(login.stderr).toContain('as profile one (scopes: read_builds, write_builds)');
  expect(login.stderr).not.toContain('s3cr3t');
  expect(await stored(home)).toEqual({
    current: 'one',
    profiles: { one: { baseUrl: url, token: 's3cr3t' } },
  });
  expect((await stat(profileFile(home))).mode & 0o777).toBe(0o600);
  expect((await stat(home.configDir)).mode & 0o777).toBe(0o700);
  const status = await cictl(['auth', 'status', '--jq', '.scopes[]'], { home });
  expect(status.stdout).toBe('read_builds\nwrite_builds\n');
  expect((await cictl(['auth', 'token'], { home })).stdout).toBe('s3cr3t\n');
});

test.each<[string, readonly Exchange[], CliOptions, number]>([
  ['is refused', [refuse], { stdin: 'bad' }, 6],
  [
    'is answered by something else',
    [{ path: '/v2/access-token', answer: { body: '<html>' } }],
    { stdin: 't' },
    9,
  ],
  ['has two lines', [], { stdin: 'a\nb\n' }, 2],
  ['is empty', [], { stdin: '\n' }, 2],
  ['is not printable', [], { stdin: 'a\u0007' }, 2],
])('writes nothing if the token %s', async (_, exchanges, options, code) => {
  const home = await useHome();
  const { url } = await serve(exchanges);
  const args = ['auth', 'login', '--service', url, '--with-token'];
  expect(await cictl(args, { home, ...options })).toMatchObject({ exitCode: code, stdout: '' });
  await expect(stat(profileFile(home))).rejects.toThrow('ENOENT');
});

sampled.each([
  [['--service', 'nowhere', '--with-token'], 2],
  [['--service', 'local', '--with-token'], 9],
  [['--service', 'http://127.0.0.1:1', '--base-url', 'http://127.0.0.1:2', '--with-token'], 2],
  [['--service', 'http://127.0.0.1:1', '--profile', 'a b', '--with-token'], 2],
  [['--service', 'http://127.0.0.1:1'], 2],
])('auth login %j ends with %i', async (args, code) => {
  const result = await cictl(['auth', 'login', ...args], { stdin: 't' });
  expect(result.exitCode).toBe(code);
});

test('checks an agent registration token with the metrics', async () => {
  const home = await useHome();
  const { url } = await serve([metrics('agent-t'), metrics('agent-t')]);
  const args = ['auth', 'login', '--service', url, '--agent', '--with-token'];
  const login = await cictl(args, { home, stdin: 'agent-t' });
  expect(login.stderr).toContain('agents of organization acme');
  const status = await cictl(['auth', 'status', '--json'], { home });
  expect(JSON.parse(status.stdout)).toMatchObject({ organization: 'acme', agentUrl: url });
});

test('another service keeps no token of the previous one', async () => {
  const home = await useHome();
  await keep(home, {
    current: 'one',
    profiles: { one: { baseUrl: 'http://before.example.com', agentToken: 'old', org: 'o' } },
  });
  const { url } = await serve([check('new')]);
  await cictl(['auth', 'login', '--profile', 'one', '--service', url, '--with-token'], {
    home,
    stdin: 'new',
  });
  expect(await stored(home)).toEqual({
    current: 'one',
    profiles: { one: { baseUrl: url, token: 'new' } },
  });
});

test("renews a token at the profile's service, and keeps its settings", async () => {
  const home = await useHome();
  const { url } = await serve([check('new')]);
  await keep(home, { current: 'one', profiles: { one: { baseUrl: url, token: 'old', org: 'o' } } });
  await cictl(['auth', 'login', '--with-token'], { home, stdin: 'new' });
  expect(await stored(home)).toEqual({
    current: 'one',
    profiles: { one: { baseUrl: url, token: 'new', org: 'o' } },
  });
});

test("logout removes the profile's tokens, and revokes on request", async () => {
  const home = await useHome();
  const { url } = await serve([revoke('t')]);
  const one = { baseUrl: url, org: 'o' };
  await keep(home, { current: 'one', profiles: { one: { ...one, token: 't', agentToken: 'a' } } });
  const env = { CICTL_TOKEN: 'of-the-environment' };
  const unasked = await cictl(['auth', 'logout', '--revoke'], { home, env });
  expect(unasked.exitCode).toBe(2);
  expect(unasked.stderr).toContain('--yes');
  const done = await cictl(['auth', 'logout', '--revoke', '--yes'], { home, env });
  expect(done.exitCode).toBe(0);
  expect(await stored(home)).toEqual({ current: 'one', profiles: { one } });
  const again = await cictl(['auth', 'logout'], { home });
  expect(again).toMatchObject({ exitCode: 0, stderr: 'profile one has no token\n' });
});

test('removes a token that was revoked elsewhere', async () => {
  const home = await useHome();
  const { url } = await serve([{ ...refuse, method: 'DELETE' }]);
  await keep(home, { current: 'one', profiles: { one: { baseUrl: url, token: 't' } } });
  const { exitCode, stderr } = await cictl(['auth', 'logout', '--revoke', '--yes'], { home });
  expect(exitCode).toBe(0);
  expect(stderr).toContain('already invalid');
  expect(await stored(home)).toEqual({ current: 'one', profiles: { one: { baseUrl: url } } });
});

test('--dry-run revokes nothing and keeps the token', async () => {
  const home = await useHome();
  const content = { current: 'one', profiles: { one: { baseUrl: 'http://x.test', token: 't' } } };
  await keep(home, content);
  const { exitCode, stdout } = await cictl(['auth', 'logout', '--revoke', '--dry-run'], { home });
  expect([exitCode, stdout]).toEqual([0, 'DELETE http://x.test/v2/access-token\n']);
  expect(await stored(home)).toEqual(content);
});

sampled.each([
  ['cictl auth login', [], {}],
  ['cictl auth login --profile one', [], { CICTL_PROFILE: 'one' }],
  ['cictl auth login --profile two', ['--profile', 'two'], {}],
  ['set CICTL_TOKEN to a valid token', [], { CICTL_TOKEN: 'x' }],
])('a token that is refused ends with the hint %j', async (hint, args, env) => {
  const home = await useHome();
  const { url } = await serve([{ path: '/v2/builds?per_page=30', answer: { status: 401 } }]);
  const profile = { baseUrl: url, token: 't' };
  await keep(home, { current: 'one', profiles: { one: profile, two: profile } });
  const { stderr, exitCode } = await cictl(['builds', 'list', ...args], { home, env });
  expect([stderr.split('\n  try: ')[1], exitCode]).toEqual([`${hint}\n`, 6]);
});

test("does not send a profile's token to a URL from the environment", async () => {
  const home = await useHome();
  const { url } = await serve([]);
  await keep(home, { current: 'one', profiles: { one: { baseUrl: 'http://x.test', token: 't' } } });
  const result = await cictl(['auth', 'status'], { home, env: { CICTL_BASE_URL: url } });
  expect(result.exitCode).toBe(6);
  expect(result.stderr).toContain('CICTL_TOKEN');
});

test('names both next steps without a profile', async () => {
  const { exitCode, stderr } = await cictl(['builds', 'list']);
  expect(exitCode).toBe(6);
  expect(stderr).toContain('cictl auth login');
  expect(stderr).toContain('cictl local up');
});

sampled.each([
  ['CICTL_TOKEN', 'two\nlines'],
  ['CICTL_TOKEN', 'tökén'],
  ['CICTL_TOKEN', ' '],
  ['CICTL_AGENT_TOKEN', 'two\nlines'],
])('auth status says that %s=%j cannot be used', async (name, value) => {
  const { url } = await serve([]);
  const tokens = { CICTL_TOKEN: 'good-token', CICTL_AGENT_TOKEN: 'agent-token', [name]: value };
  const env = { CICTL_BASE_URL: url, ...tokens };
  const { exitCode, stdout, stderr } = await cictl(['auth', 'status'], { env });
  expect(stderr).toBe(
    `cictl: invalid token from ${name}: it must be a single line of printable ASCII\n`,
  );
  expect([exitCode, stdout]).toEqual([2, '']);
});

const checkWith = (...scopes: readonly string[]): Exchange => ({
  path: '/v2/access-token',
  answer: { json: { uuid: 'u-1', scopes } },
});
const organizations = (...slugs: readonly string[]): Exchange => ({
  path: '/v2/organizations?per_page=100',
  answer: { json: slugs.map((slug) => ({ id: slug, slug })) },
});

test.each<[string, readonly Exchange[], string | undefined]>([
  ['the only one', [checkWith('read_organizations'), organizations('acme')], 'acme'],
  ['none of two', [checkWith('read_organizations'), organizations('acme', 'other')], undefined],
  ['none where there is none', [checkWith('read_organizations'), organizations()], undefined],
  ['none that may not be read', [checkWith('read_builds')], undefined],
  [
    'none where the service fails',
    [checkWith('read_organizations'), { path: /organizations/, answer: { status: 400 } }],
    undefined,
  ],
])("of a token's organizations, login keeps %s", async (_, exchanges, org) => {
  const home = await useHome();
  const { url } = await serve(exchanges);
  const args = ['auth', 'login', '--service', url, '--profile', 'one', '--with-token'];
  const { exitCode, stderr } = await cictl(args, { home, stdin: 't' });
  expect(exitCode).toBe(0);
  expect(stderr.includes(', organization acme (')).toBe(org !== undefined);
  const one = { baseUrl: url, token: 't', ...(org !== undefined && { org }) };
  expect(await stored(home)).toEqual({ current: 'one', profiles: { one } });
});

test("keeps the profile's organization, whether the only one or not", async () => {
  const home = await useHome();
  const { url } = await serve([checkWith('read_organizations'), organizations('acme')]);
  await keep(home, { current: 'one', profiles: { one: { baseUrl: url, token: 'old', org: 'o' } } });
  await cictl(['auth', 'login', '--with-token'], { home, stdin: 'new' });
  expect(await stored(home)).toMatchObject({ profiles: { one: { org: 'o', token: 'new' } } });
});

test.each<[readonly string[], readonly Exchange[], string, number]>([
  [['--with-token'], [refuse], '', 6],
  [['--agent', '--with-token'], [{ path: '/v3/metrics', answer: { status: 401 } }], ' --agent', 6],
  [[], [], ' --with-token < FILE', 2],
])('the hint of login %j keeps service and profile', async (args, exchanges, more, code) => {
  const { url } = await serve(exchanges);
  const login = `auth login --profile one --service ${url}`;
  const { stderr, exitCode } = await cictl([...login.split(' '), ...args], { stdin: 't' });
  expect([stderr.split('\n  try: ')[1], exitCode]).toEqual([`cictl ${login}${more}\n`, code]);
});

test.skipIf(!hasTerminal)('login says what it is for before it prompts', async () => {
  const home = await useHome();
  const { url } = await serve([check('s3cr3t')]);
  const { screen, exitCode } = await cictlInTerminal(
    ['auth', 'login', '--service', url, '--profile', 'one'],
    { home, keys: [{ after: 'Access token: ', type: 's3cr3t\r' }] },
  );
  expect(exitCode, screen).toBe(0);
  const before = screen.slice(0, screen.indexOf('Access token: '));
  expect(before).toContain(`${url} as profile one`);
  expect(before).toContain('read_builds, write_builds, read_build_logs');
  expect(screen).not.toContain('s3cr3t');
});
