/** Who can sign in to the pages, for how long, and the permissions of a session. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { accept, browserWith, formTokenOf, signIn } from './browser.ts';
import { createCounterpart, useCounterpart, type Counterpart } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';

const second = 1000;

async function setUp() {
  let now = Date.parse('2026-11-20T10:00:00Z');
  const clock = { now: () => now };
  const service = await useCounterpart({ clock, runner: scriptedRunner() });
  return { service, pass: (ms: number) => (now += ms) };
}

const newCode = async (service: Counterpart, body: object = {}): Promise<string> =>
  String((await service.admin('POST', '/sign-in-codes', body))['path']);

const enter = (service: Counterpart, path: string, headers: Record<string, string> = {}) =>
  service.get(path, { token: null, headers: { accept, ...headers } });

test('a code sets a cookie hidden from scripts and other sites, and redirects to the page', async () => {
  const { service } = await setUp();
  const { status, headers } = await enter(
    service,
    `${await newCode(service)}&to=/local/web%3Fa=b%23c`,
  );
  expect([status, headers['location']]).toEqual([303, '/local/web?a=b#c']);
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(
      `^cictl_session_${service.port}=session_[0-9a-f]{40}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict$`,
    ),
  ]);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
});

test('a code works once, for 60 seconds, and an invented one never', async () => {
  const { service, pass } = await setUp();
  const [used, old] = [await newCode(service), await newCode(service)];
  expect((await enter(service, used)).status).toBe(303);
  pass(60 * second);
  for (const path of [used, old, '/-/sign-in?code=code_1', '/-/sign-in']) {
    const { status, headers, text } = await enter(service, path);
    expect([status, headers['set-cookie']]).toEqual([401, undefined]);
    expect(text).toContain('<code>cictl local open</code>');
  }
});

test('HEAD does not use up a code', async () => {
  const { service } = await setUp();
  const path = await newCode(service);
  const head = await service.send(path, { method: 'HEAD', token: null, headers: { accept } });
  expect([head.status, head.headers['set-cookie']]).toEqual([200, undefined]);
  expect((await enter(service, path)).status).toBe(303);
});

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

test.runIf(isRoot)(
  'a process of another user gets no session, and the code still works',
  async () => {
    const { service } = await setUp();
    const path = await newCode(service);
    const script = `fetch(process.argv[1]).then(async (r) => console.log(r.status, await r.text()))`;
    const args = ['-e', script, service.url + path];
    const node = await publicNode();
    const { stdout } = await promisify(execFile)(node, args, { uid: 65_534, cwd: '/' });
    expect(stdout).toMatch(/^403 [^]*Only the user who runs the service can sign in/);
    expect((await enter(service, path)).status).toBe(303);
  },
);

/** A copy that every user can run, since Node may be in a private directory. */
async function publicNode(): Promise<string> {
  const folder = await mkdtemp('/tmp/cictl-test-');
  onTestFinished(() => rm(folder, { recursive: true }));
  await chmod(folder, 0o755);
  await copyFile(process.execPath, join(folder, 'node'));
  return join(folder, 'node');
}

test('a browser gets the code from a private file, once', async () => {
  const { service } = await setUp();
  const directory = await mkdtemp(join(tmpdir(), 'cictl-sign-in-test-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const { code, file } = await service.admin('POST', '/sign-in-codes', { directory, to: '/local' });
  const html = await readFile(String(file), 'utf8');
  expect([dirname(String(file)), (await stat(String(file))).mode & 0o777]).toEqual([
    directory,
    0o600,
  ]);
  const url = `${service.url}/-/sign-in?code=${String(code)}&amp;to=%2Flocal`;
  expect(html).toContain(`<meta http-equiv="refresh" content="0;url=${url}">`);
  // A browser that followed it would not send the new cookie with a redirect.
  const path = `/-/sign-in?code=${String(code)}&to=/local`;
  const { status, headers } = await enter(service, path, { 'sec-fetch-site': 'cross-site' });
  expect([status, headers['refresh']]).toEqual([200, '0;url=/local']);
  expect(headers['set-cookie']).toHaveLength(1);
  expect(existsSync(String(file))).toBe(false);
});

test('a new code removes files of expired codes', async () => {
  const { service, pass } = await setUp();
  const directory = await mkdtemp(join(tmpdir(), 'cictl-sign-in-test-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const made = async () =>
    String((await service.admin('POST', '/sign-in-codes', { directory }))['file']);
  const [left, fresh] = [join(directory, 'cictl-sign-in-left.html'), await made()];
  await writeFile(left, '');
  const now = pass(0) / second;
  await utimes(left, now - 61, now - 61);
  await utimes(fresh, now - 59, now - 59);
  await made();
  expect([existsSync(left), existsSync(fresh)]).toEqual([false, true]);
});

test('a signed-in user continues with a used code', async () => {
  const { service } = await setUp();
  const path = `${await newCode(service)}&to=/local`;
  const cookie = String((await enter(service, path)).headers['set-cookie']).split(';')[0] ?? '';
  const again = await enter(service, path, { cookie });
  expect([again.status, again.headers['location'], again.headers['set-cookie']]).toEqual([
    303,
    '/local',
    undefined,
  ]);
});

test.each(['//evil.example/x', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)'])(
  'it redirects nowhere else: %s',
  async (to) => {
    const { service } = await setUp();
    const path = `${await newCode(service)}&to=${encodeURIComponent(to)}`;
    expect((await enter(service, path)).headers['location']).toBe('/');
  },
);

test('only the administrator gets a code', async () => {
  const { service } = await setUp();
  for (const token of [null, 'nobody', service.token, service.agentToken]) {
    const { status } = await service.post('/local/v1/sign-in-codes', {}, { token });
    expect(status).toBe(401);
  }
  const reply = await service.post(
    '/local/v1/sign-in-codes',
    { token: 'nobody' },
    { token: service.adminToken },
  );
  expect([reply.status, reply.json.message]).toEqual([422, 'Unknown API token']);
});

test('a session lasts 12 hours', async () => {
  const { service, pass } = await setUp();
  const browser = await signIn(service);
  pass(12 * 3600 * second - 1);
  expect((await browser.get('/')).status).toBe(200);
  pass(1);
  expect((await browser.get('/')).status).toBe(401);
});

test("signing out ends the session, but not another browser's", async () => {
  const { service } = await setUp();
  const [one, other] = [await signIn(service), await signIn(service)];
  const { status, headers } = await one.submit('/-/sign-out');
  expect([status, headers['location']]).toEqual([303, '/']);
  expect(String(headers['set-cookie'])).toMatch(/^cictl_session_\d+=; Path=\/; Max-Age=0;/);
  expect((await one.get('/')).status).toBe(401);
  expect((await other.get('/')).status).toBe(200);
});

test('two tabs share a session, and their forms work after each other', async () => {
  const { service } = await setUp();
  const { cookie } = await signIn(service);
  const [one, other] = [browserWith(service, cookie), browserWith(service, cookie)];
  const tokens = [await one.get('/'), await other.get('/local')].map(formTokenOf);
  expect(tokens[0]).toMatch(/^form_/);
  expect(tokens[1]).toBe(tokens[0]);
  expect((await other.submit('/-/sign-out', { form_token: tokens[1] ?? '' })).status).toBe(303);
  expect((await one.get('/')).status).toBe(401);
});

test('a session of one service is invalid on another', async () => {
  const [one, other] = [await setUp(), await setUp()];
  const { cookie } = await signIn(one.service);
  expect((await browserWith(other.service, cookie).get('/')).status).toBe(401);
  const renamed = cookie.replace(/^\w+/, `cictl_session_${other.service.port}`);
  expect((await browserWith(other.service, renamed).get('/')).status).toBe(401);
});

test('it ends with the service', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cictl-sessions-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const first = await createCounterpart({ dataDir, port: await freePort() });
  const { cookie } = await signIn(first);
  await first.close();
  const next = await useCounterpart({ dataDir, port: first.port });
  expect(next.url).toBe(first.url);
  expect((await browserWith(next, cookie).get('/')).status).toBe(401);
});

test("a token's session has its permissions, and ends with it", async () => {
  const { service } = await setUp();
  await service.admin('POST', '/organizations', { slug: 'second', name: 'Second' });
  const { token } = await service.admin('POST', '/tokens', { organizations: ['second'] });
  const browser = await signIn(service, { token });
  expect((await browser.get('/second')).status).toBe(200);
  expect((await browser.get('/local')).status).toBe(404);
  expect((await service.delete('/v2/access-token', { token })).status).toBe(204);
  expect((await browser.get('/')).status).toBe(401);
});

test('an event stream ends with its session', async () => {
  const { service } = await setUp();
  const path = await service.pipeline('p', "[{ command: 'true' }]");
  await service.post(`${path}/builds`, { commit: 'HEAD', branch: 'main' });
  const browser = await signIn(service);
  const stream = await open(`${service.url}/local/p/events`, browser.cookie);
  expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(stream.headers['form-token']).toBe(formTokenOf(await browser.get('/')));
  await browser.submit('/-/sign-out');
  const ended = new Promise((resolve) => stream.resume().on('end', resolve));
  await service.put(`${path}/builds/1/cancel`);
  await ended;
});

const open = (url: string, cookie: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    httpGet(url, { headers: { cookie }, agent: false }, resolve).on('error', reject);
  });
