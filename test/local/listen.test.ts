/** `local up --listen` only exposes the agent API on another address. */
import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { sampled } from '../support/full.ts';

/**
 * A certificate for localhost and 127.0.0.1 that is valid for a hundred years, created for these
 * tests.
 */
const pem = (name: string): string => join(import.meta.dirname, `../fixtures/tls/${name}.pem`);
const tls = ['--tls-cert', pem('cert'), '--tls-key', pem('key')];

async function useLocal() {
  const home = await useHome();
  onTestFinished(() => cictl(['local', 'down'], { home }).then(() => undefined));
  return { home, local: (...args: string[]) => cictl(['local', ...args], { home }) };
}

/** The status of the service, and its tokens. */
async function statusOf(home: Home) {
  const { stdout } = await cictl(['local', 'status', '--json'], { home });
  const state = await readFile(join(home.dataDir, 'service.json'), 'utf8');
  return {
    ...(JSON.parse(stdout) as { listen: string; url: string; slots: number }),
    ...(JSON.parse(state) as { token: string; agentToken: string; adminToken: string }),
  };
}

interface Asked {
  readonly method?: string;
  readonly authorization?: string;
  readonly host?: string;
  readonly origin?: string;
  readonly accept?: string;
}

/** The status and body of a response over TLS. */
async function ask(base: string, path: string, { method = 'GET', ...headers }: Asked = {}) {
  const ca = await readFile(pem('cert'));
  const url = new URL(path, base.replace('0.0.0.0', '127.0.0.1'));
  return new Promise<{ status: number; body: string; type: string }>((resolve, reject) => {
    const call = request(url, { method, headers, ca, servername: 'localhost', agent: false });
    call.on('error', reject).on('response', (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => {
        const { statusCode: status = 0, headers: got } = response;
        resolve({ status, body, type: got['content-type'] ?? '' });
      });
    });
    call.end();
  });
}

test('over TLS, only the agent API is visible', async () => {
  const { home, local } = await useLocal();
  const up = await local('up', '--listen', '0.0.0.0:0', ...tls);
  expect([up.exitCode, up.stdout]).toEqual([
    0,
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\n$/),
  ]);
  expect(up.stderr).toMatch(/--endpoint https:\/\/\S+:\d+\/v3\n/);
  const { listen, token, agentToken, adminToken } = await statusOf(home);
  expect(listen).toMatch(/^https:\/\/0\.0\.0\.0:\d+$/);

  const authorization = `Token ${agentToken}`;
  expect((await ask(listen, '/v3/metrics', { authorization })).status).toBe(200);
  expect((await ask(listen, '/v3/metrics')).status).toBe(401);
  for (const path of ['/', '/v2/organizations', '/graphql', '/local', '/local/v1/status', '/x'])
    for (const one of [token, adminToken]) {
      const asked = { authorization: `Bearer ${one}`, accept: 'text/html' };
      expect([path, await ask(listen, path, asked)]).toEqual([
        path,
        { status: 404, body: '{"message":"Not Found"}', type: 'application/json; charset=utf-8' },
      ]);
    }
});

test('warns about a key that every user can read', async () => {
  const { home, local } = await useLocal();
  const key = join(home.cwd, 'ci.key');
  await copyFile(pem('key'), key);
  const up = () =>
    local('up', '--listen', '127.0.0.1:0', '--tls-cert', pem('cert'), '--tls-key', key);
  const warning = `all users on this machine can read --tls-key ${key}; to fix: chmod 600 ${key}`;
  await chmod(key, 0o644);
  expect((await up()).stderr).toContain(warning);
  await chmod(key, 0o640);
  expect((await up()).stderr).not.toContain('chmod');
});

test('rejects requests for another host or from a web page', async () => {
  const { home, local } = await useLocal();
  const flags = ['--public-url', 'https://ci.example/'];
  expect((await local('up', '--listen', '127.0.0.1:0', ...tls, ...flags)).exitCode).toBe(0);
  const { listen, agentToken } = await statusOf(home);
  const authorization = `Token ${agentToken}`;
  const asked = (more: Asked) => ask(listen, '/v3/metrics', { authorization, ...more });
  expect((await asked({})).status).toBe(200);
  expect((await asked({ host: 'ci.example' })).status).toBe(200);
  expect((await asked({ host: 'evil.example' })).status).toBe(403);
  expect((await asked({ origin: 'https://ci.example' })).status).toBe(403);
});

test('both addresses tell agents that they do not support streams', async () => {
  const { home, local } = await useLocal();
  await local('up', '--listen', '127.0.0.1:0', ...tls);
  const { listen, url } = await statusOf(home);
  const path = '/agentedge.v1.AgentEdgeService/StreamPings';
  expect((await ask(listen, path, { method: 'POST' })).status).toBe(404);
  expect((await fetch(url + path, { method: 'POST' })).status).toBe(404);
});

test('status shows the listening address, slots and tags', async () => {
  const { home, local } = await useLocal();
  const flags = ['--slots', '0', '--tags', 'os=linux', '--tags', 'gpu=no,os=linux'];
  await local('up', '--listen', '127.0.0.1:0', '--public-url', 'http://ci.lan', ...flags);
  const status = await statusOf(home);
  expect(status).toMatchObject({
    slots: 0,
    tags: ['queue=default', 'os=linux', 'gpu=no'],
    listen: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
    public_url: 'http://ci.lan',
  });
});

test('slots run jobs that match their tags', async () => {
  const { home, local } = await useLocal();
  await local('up', '--tags', 'queue=gpu,os=linux');
  await writeFile(
    join(home.cwd, 'p.yml'),
    'steps: [{ command: "echo q=$$BUILDKITE_AGENT_META_DATA_QUEUE os=$$BUILDKITE_AGENT_META_DATA_OS" }]\n',
  );
  const { exitCode, stdout } = await cictl(['run', 'p.yml'], { home });
  expect(exitCode, stdout).toBe(0);
  expect(stdout).toContain('| q=gpu os=linux\n');
});

test('flags do not change a running service, which a message says', async () => {
  const { local } = await useLocal();
  await local('up');
  const { exitCode, stderr } = await local('up', '--slots', '3', '--listen', '127.0.0.1:0');
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^warning: ignored --slots, --listen: /m);
});

sampled.each([
  [['--listen', '0.0.0.0:8443'], 2, 'without TLS'],
  [['--listen', '[::]:8443'], 2, 'without TLS'],
  [['--listen', 'ci.lan:8443'], 2, 'without TLS'],
  [['--listen', '8443'], 2, 'HOST:PORT'],
  [['--listen', '127.0.0.1:65536'], 2, 'HOST:PORT'],
  [['--tls-cert', 'x'], 2, '--listen'],
  [['--insecure-listen'], 2, '--listen'],
  [['--public-url', 'http://ci.lan'], 2, '--listen'],
  [['--listen', '127.0.0.1:0', '--public-url', 'ci.lan'], 2, '--public-url'],
  [['--listen', '127.0.0.1:0', '--public-url', 'http://ci.lan/?a=b'], 2, '--public-url'],
  [['--listen', '127.0.0.1:0', '--tls-cert', pem('cert')], 2, 'must be used together'],
  [['--listen', '127.0.0.1:0', '--tls-cert', '/none', '--tls-key', '/none'], 10, 'no such file'],
  [
    ['--listen', '127.0.0.1:0', '--tls-cert', pem('key'), '--tls-key', pem('key')],
    2,
    'certificate',
  ],
  [['--listen', '127.0.0.1:0', '--tls-cert', pem('cert'), '--tls-key', pem('cert')], 2, 'the key'],
  [
    ['--listen', '127.0.0.1:0', '--tls-cert', pem('cert'), '--tls-key', pem('other-key')],
    2,
    'does not match the certificate',
  ],
  [
    ['--listen', '127.0.0.1:0', '--tls-cert', pem('cert'), '--tls-key', pem('encrypted-key')],
    2,
    'encrypted',
  ],
  [
    ['--listen', '127.0.0.1:0', '--tls-cert', pem('expired'), '--tls-key', pem('key')],
    2,
    'expired',
  ],
  [['--slots', '-1'], 2, '--slots'],
  [['--tags', 'gpu'], 2, '--tags'],
])('%j: code %d, one line, and nothing starts', async (flags, code, text) => {
  const { home, local } = await useLocal();
  const { exitCode, stdout, stderr } = await local('up', ...flags);
  expect([exitCode, stdout]).toEqual([code, '']);
  expect(stderr).toContain(text);
  expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
  await expect(readFile(join(home.dataDir, 'service.log'))).rejects.toThrow('ENOENT');
});

test('an IP address not on this machine is rejected with one line', async () => {
  const { local } = await useLocal();
  const up = await local('up', '--listen', '192.0.2.1:8443', '--insecure-listen');
  expect([up.exitCode, up.stdout]).toEqual([10, '']);
  expect(up.stderr).toContain(
    'cannot listen on 192.0.2.1 port 8443: this machine does not have that address',
  );
});

sampled.each([
  [['--heartbeat', '0'], '--heartbeat'],
  [['--expire-after', '1ms'], '--expire-after'],
])('%j is refused', async (flags, text) => {
  const { local } = await useLocal();
  const { exitCode, stderr } = await local('up', ...flags);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(text)]);
});
