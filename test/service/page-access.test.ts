/**
 * How pages are protected: forms work only in their session and origin, headers, and GET changes
 * nothing.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept, browserWith, formTokenOf, signIn, type Browser } from './browser.ts';
import { createCounterpart, useCounterpart, type Counterpart, type Reply } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';
import { pagePaths } from '../../src/service/pages/page-routes.ts';
import { sampled } from '../support/full.ts';

let service: Counterpart;
let browser: Browser;
let job: string;
const build = '/v2/organizations/local/pipelines/p/builds/1';

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner() });
  const path = await service.pipeline('p', "[{ command: 'true' }, { block: Go }]");
  await service.post(`${path}/builds`, { commit: 'HEAD', branch: 'main' });
  const { jobs } = await service.until(build, ({ state }) => state === 'running');
  job = jobs[0]?.id ?? '';
  browser = await signIn(service);
});

afterAll(() => service.close());

const addresses = Object.values(pagePaths).map(([method, path]): [method: string, path: string] => [
  method,
  path,
]);

/** The URL of an existing page. */
const named = (path: string): string =>
  path
    .replace(':org', 'local')
    .replace(':pipeline', 'p')
    .replace(':number', '1')
    .replace(':job', job)
    .replace('*', 'local/p/nothing')
    .replace(/:\w+/, 'x');

const posts = addresses.filter(([method]) => method === 'POST');
const gets = addresses.filter(
  ([method, path]) => method === 'GET' && !/\/events$|^\/-\//.test(path),
);

const expectPage = ({ headers }: Reply): void => {
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("form-action 'self'");
  expect(policy).not.toContain('unsafe');
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
};

sampled.each(gets)(
  '%s %s is for who is signed in, and cannot be framed, cached or guessed at',
  async (_, path) => {
    const page = await browser.get(named(path));
    expect(page.status).toBeLessThan(500);
    expectPage(page);
    const { cookie } = browser;
    for (const headers of [
      {},
      { cookie: `${cookie}0` },
      { authorization: `Bearer ${service.token}` },
    ]) {
      const closed = await service.get(named(path), {
        token: null,
        headers: { accept, ...headers },
      });
      expect(closed.status).toBe(401);
      expect(closed.headers['content-type']).toBe('text/html; charset=utf-8');
      expectPage(closed);
      expect(closed.text).toContain(`cictl local open`);
    }
  },
);

sampled.each(gets)('HEAD of %s %s has the headers of GET, and no body', async (_, path) => {
  const head = await browser.get(named(path), { method: 'HEAD' });
  const get = await browser.get(named(path));
  expect([head.status, head.text]).toEqual([get.status, '']);
  expect(head.headers['content-type']).toBe(get.headers['content-type']);
  expectPage(head);
});

sampled.each(posts)('%s %s wants the token of its session', async (_, path) => {
  const other = formTokenOf(await (await signIn(service)).get('/'));
  for (const form_token of ['', 'form_1', other]) {
    const reply = await browser.submit(named(path), { form_token });
    expect(reply.status).toBe(403);
    expect(reply.text).toContain('This form belongs to another session');
    expectPage(reply);
  }
  expect((await browserWith(service, '').submit(named(path), { form_token: other })).status).toBe(
    401,
  );
  expect(await service.get(build)).toMatchObject({ json: { state: 'running' } });
});

sampled.each(posts)('%s %s takes no form of another origin', async (_, path) => {
  const form_token = formTokenOf(await browser.get('/'));
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: `http://127.0.0.1:${service.port + 1}` },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: 'null', 'sec-fetch-site': 'same-site' },
    { host: `evil.example:${service.port}` },
  ]) {
    const reply = await browser.submit(named(path), { form_token }, headers);
    expect(reply.status).toBe(403);
    expectPage(reply);
  }
  expect((await browser.get('/')).status).toBe(200);
});

test('accepts a form of its own page, under all names of the service', async () => {
  for (const origin of ['null', service.url, `http://localhost:${service.port}`]) {
    const one = await signIn(service);
    expect((await one.submit('/-/sign-out', {}, { origin })).status).toBe(303);
  }
});

sampled.each([
  ['application/json', '{}', 415],
  ['multipart/form-data; boundary=x', '--x--', 415],
  ['application/x-www-form-urlencoded', `message=${'x'.repeat(1024 * 1024)}`, 413],
])('a body of %s is refused', async (type, raw, status) => {
  const reply = await browser.get('/-/sign-out', {
    method: 'POST',
    raw,
    headers: { 'content-type': type },
  });
  expect(reply.status).toBe(status);
  expectPage(reply);
  expect((await browser.get('/')).status).toBe(200);
});

sampled.each(posts)('nothing changes by GET: %s %s', async (_, path) => {
  const form_token = formTokenOf(await browser.get('/'));
  await browser.get(`${named(path)}?form_token=${form_token}`);
  const { json } = await service.get('/v2/organizations/local/pipelines/p/builds');
  expect(json).toMatchObject({ length: 1, 0: { state: 'running' } });
  expect((await browser.get('/')).status).toBe(200);
});

test('a cookie is no credential for the API, nor a token for the pages', async () => {
  for (const path of ['/v2/user', build, '/local/v1/organizations', '/v3/ping', '/v2/nothing']) {
    const { status, headers } = await browser.get(path);
    expect([path, status]).toEqual([path, 401]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  }
  const cancel = await browser.get(`${build}/cancel`, { method: 'PUT' });
  expect(cancel.status).toBe(401);
  for (const token of [service.token, service.adminToken]) {
    const { status, json } = await service.get('/local/p', { token });
    expect([status, json.message]).toEqual([401, 'You are not signed in']);
  }
});

sampled.each([
  '/v2',
  '/v2/x',
  '/v1/x',
  '/v3/x',
  '/local/v1',
  '/local/v1/builds',
  '/local/v1/stats',
])('what looks like the API is never a page: %s', async (path) => {
  const { status, json } = await browser.get(path);
  expect([status, json.message]).toEqual([401, expect.stringMatching(/^Authentication required/)]);
  for (const token of [service.token, service.adminToken]) {
    if (token === service.adminToken && path.startsWith('/v')) continue;
    const reply = await service.get(path, { token, headers: { accept } });
    expect([reply.status, reply.json]).toEqual([404, { message: 'Not Found' }]);
  }
});

test('an organization or a pipeline can be named like the API', async () => {
  const other = await useCounterpart({ runner: scriptedRunner() });
  await other.admin('POST', '/organizations', { slug: 'v2', name: 'Version two' });
  await other.admin('POST', '/organizations/v2/pipelines', { folder: other.dataDir, slug: 'p' });
  const api = await other.pipeline('v1', "[{ command: 'true' }]");
  await other.post(`${api}/builds`, { commit: 'HEAD', branch: 'main' });
  const owner = await signIn(other);
  const pages = ['/local/v1', '/local/v1/builds/1', '/local/v1/builds/new', '/v2', '/v2/p'];
  for (const path of pages) {
    expect([path, (await owner.get(path)).status]).toEqual([path, 200]);
    const closed = await browserWith(other, '').get(path);
    expect([closed.status, closed.headers['content-type']]).toEqual([
      401,
      'text/html; charset=utf-8',
    ]);
    const program = await other.get(path, { headers: { accept } });
    expect([program.status, program.json]).toEqual([404, { message: 'Not Found' }]);
  }
  const cancel = await owner.submit('/local/v1/builds/1/cancel');
  expect([cancel.status, cancel.headers['location']]).toEqual([303, '/local/v1/builds/1']);
  for (const path of ['/v2/organizations', '/local/v1/status', '/v2/user', '/v3/ping', '/v1/x'])
    expect((await owner.get(path)).headers['content-type']).toBe('application/json; charset=utf-8');
});

sampled.each(['avatars', 'badges', 'emojis', 'webhooks'])(
  'an organization cannot be named so that its pages would stand where others are: %s',
  async (slug) => {
    const sending = { method: 'POST', body: { slug, name: 'x' }, token: service.adminToken };
    const { status, text } = await service.send('/local/v1/organizations', sending);
    expect([status, text]).toEqual([422, expect.stringContaining(`slug must not be ${slug}`)]);
  },
);

test('an error page shows the signed-in user', async () => {
  const { status, text } = await browser.get('/none');
  expect(status).toBe(404);
  expect(text).toContain('Sign out');
  expect((await browserWith(service, '').get('/none')).text).not.toContain('Sign out');
});

test('a missing page is HTML for a browser, and JSON for a client that accepts it or has a token', async () => {
  const page = await browser.get('/none/none/none/none');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expectPage(page);
  const programs = [{ token: null, headers: { accept: 'application/json' } }, {}];
  for (const options of programs) {
    const { json, status } = await service.get('/local/none', options);
    expect([status, json.message]).toEqual([401, 'You are not signed in']);
  }
});

sampled.each(['*/*', undefined])('who takes anything (%s) reads what to type', async (anything) => {
  const headers = { ...(anything !== undefined && { accept: anything }) };
  for (const path of ['/local/p/builds/1', '/none/none/none']) {
    const page = await service.get(path, { token: null, headers });
    expect(page.status).toBe(401);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('cictl local open');
  }
});

test('an unknown page is HTML for a browser, and JSON for a client that accepts it', async () => {
  for (const path of ['/none', '/none/none/none/none', '/local/p/builds/1/jobs', '/local//p']) {
    const page = await browser.get(path);
    expect([path, page.status]).toEqual([path, 404]);
    expect(page.text).toContain('Sign out');
    expectPage(page);
    const headers = { accept: 'application/json' };
    const { json, status } = await service.get(path, { token: null, headers });
    expect([status, json.message]).toEqual([401, expect.stringMatching(/^(You|Authentication)/)]);
    expect(await service.get(path, { headers })).toMatchObject({
      status: 404,
      json: { message: 'Not Found' },
    });
  }
});

sampled.each([
  ['POST', '/local/p', 405, 'GET, HEAD'],
  ['PUT', '/local/p/builds', 405, 'GET, HEAD, POST'],
  ['DELETE', '/local/p/builds/1', 405, 'GET, HEAD'],
  ['PATCH', '/', 405, 'GET, HEAD'],
  ['POST', '/-/sign-in', 405, 'GET, HEAD'],
  ['GET', '/local/p/builds/1/cancel', 405, 'POST'],
  ['DELETE', '/local/p/builds/1/cancel', 405, 'POST'],
  ['POST', '/none', 404, undefined],
  ['POST', '/local/none/builds/new', 404, undefined],
  ['PUT', '/local/p/builds/2', 404, undefined],
  ['DELETE', '/local/p/builds/1/jobs/none', 404, undefined],
  ['POST', '/none/none/none/none', 404, undefined],
  ['GET', '/local/p/builds/2/cancel', 404, undefined],
])('%s %s is a page of code %d', async (method, path, status, allow) => {
  const page = await browser.get(path, { method });
  expect([page.status, page.headers['allow']]).toEqual([status, allow]);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.text).toContain('Sign out');
  expectPage(page);
  const closed = await browserWith(service, '').get(path, { method });
  expect([closed.status, closed.headers['allow']]).toEqual([401, undefined]);
  expect(closed.text).toContain('cictl local open');
  const json = { accept: 'application/json' };
  const programs = [json, { ...json, cookie: browser.cookie }];
  for (const headers of method === 'GET' ? programs : [...programs, {}, { accept: '*/*' }])
    expect((await service.send(path, { method, headers, token: null })).headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
    });
  const withToken = await service.send(path, { method, headers: json });
  expect([withToken.status, withToken.json.message]).toEqual([404, 'Not Found']);
});

test("after signing in again, the user returns to a page, not to a form's target", async () => {
  const form = { method: 'POST', raw: 'form_token=x' };
  for (const [path, page] of [
    ['/local/p/builds/1/cancel', '/local/p/builds/1'],
    [`/local/p/builds/1/jobs/${job}/retry`, `/local/p/builds/1/jobs/${job}`],
    ['/local/p/builds', '/local/p/builds'],
    ['/-/sign-out', ''],
  ] as const) {
    const { text } = await browserWith(service, '').get(path, form);
    expect(text).toContain(`<code>cictl local open${page && ` ${service.url}${page}`}</code>`);
  }
});

test('a form without a body has no session', async () => {
  const { status } = await browser.get('/local/p/builds/1/cancel', { method: 'POST' });
  expect(status).toBe(403);
});

test('no URL leads to a page with invalid characters', async () => {
  for (const path of ['/local/p?branch=%00', '/local/p?q=%00', '/local/p/stats?branch=a%00b']) {
    const { status, text } = await browser.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).not.toContain('\0');
  }
});

sampled.each(['style', 'script', 'icon'])('anybody gets the %s, for good', async (name) => {
  const { text } = await service.get('/', { token: null, headers: { accept } });
  const path = new RegExp(`/-/assets/${name}-[0-9a-f]{16}\\.\\w+`).exec(text)?.[0] ?? '';
  const { status, headers } = await service.get(path, { token: null });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  for (const headers of [{ accept }, { accept: 'text/css,*/*;q=0.1' }, {}]) {
    const other = await service.get('/-/assets/style-0.css', { token: null, headers });
    expect(other.status).toBe(404);
    expectPage(other);
  }
});

test('names are text in pages, whatever they are', async () => {
  const path = '/local/%3Cscript%3Ealert(1)%3C%2Fscript%3E';
  for (const { text } of [await browser.get(path), await browserWith(service, '').get(path)])
    expect(text).not.toContain('<script>');
});
