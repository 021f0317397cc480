/** Without a session: errors, images and badges. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCounterpart, type Counterpart, type Reply } from './counterpart.ts';
import { scriptedRunner } from './scripted-runner.ts';

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
let service: Counterpart;

beforeAll(async () => {
  service = await createCounterpart({ runner: scriptedRunner({ auto: true }) });
  const path = await service.pipeline('p', "[{ command: 'exit $CODE' }]");
  for (const [branch, code] of [
    ['main', '0'],
    ['dev', '1'],
  ]) {
    const body = { commit: 'HEAD', branch, env: { CODE: code } };
    const { json } = await service.post(`${path}/builds`, body);
    await service.settled(`${path}/builds/${json.number}`);
  }
});

afterAll(() => service.close());

const look = (path: string, more: Record<string, string> = {}): Promise<Reply> =>
  service.get(path, { token: null, headers: { ...browser, ...more } });

test('rejects another host with an explanation', async () => {
  const { status, text } = await look('/local', { host: `evil.example:${service.port}` });
  expect(status).toBe(403);
  expect(text).toContain('<p>Forbidden: this service only responds at 127.0.0.1 and localhost</p>');
});

test('images have the right type, are cached long, and cannot run scripts', async () => {
  const { status, headers, text } = await look('/emojis/1f389.svg');
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(text).toContain('🎉');
  expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
});

test.each(['zz.svg', '1f389', '1f389.png', 'ffffffff.svg', '0041.svg', '1f389-.svg', 'local/none'])(
  'there is no emoji %s',
  async (name) => {
    expect((await service.get(`/emojis/${name}`)).status).toBe(404);
  },
);

test("serves an organization's own emoji given as data", async () => {
  const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]);
  const url = `data:image/png;base64,${bytes.toString('base64')}`;
  const path = '/organizations/local/emojis';
  await service.admin('POST', path, { name: 'own+1', url });
  const { list } = await service.get('/v2/organizations/local/emojis');
  const own = list.find(({ name }) => name === 'own+1');
  expect(own?.['url']).toBe(`${service.url}/emojis/local/own%2B1`);
  const { status, headers, text } = await look('/emojis/local/own%2B1');
  expect([status, headers['content-type'], headers['content-length']]).toEqual([
    200,
    'image/png',
    String(bytes.length),
  ]);
  expect(text).toBe(bytes.toString());
});

test.each([
  'javascript:alert(1)',
  'data:text/html;base64,PGI+',
  'data:image/png;base64,*',
  'file:///etc/passwd',
  'x.png',
  `data:image/png;base64,${'A'.repeat(1_500_000)}`,
])('an emoji cannot be %s', async (url) => {
  const reply = await service.post(
    '/local/v1/organizations/local/emojis',
    { name: 'bad', url },
    { token: service.adminToken },
  );
  expect(reply.status).toBe(422);
  expect(reply.json).toMatchObject({ errors: [{ field: 'url' }] });
});

test("a badge shows the outcome of the branch's newest build", async () => {
  const { json } = await service.get('/v2/organizations/local/pipelines/p');
  const path = String(json['badge_url']).slice(service.url.length);
  const badge = await look(path);
  expect(badge.headers).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'cache-control': 'no-cache',
  });
  expect(badge.text).toContain('passed');
  expect((await look(`${path}?branch=dev`)).text).toContain('failed');
  expect((await look(`${path}?branch=<b>`)).text).toContain('unknown');
  expect((await look('/badges/none.svg')).status).toBe(401);
});

test('a user has an avatar, without external requests', async () => {
  const { json } = await service.get('/v2/user');
  const address = String(json['avatar_url']);
  expect(address.startsWith(service.url)).toBe(true);
  const { text, headers } = await look(address.slice(service.url.length));
  expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
  expect(text).toContain('>LU<');
});
