/** How proxies affect a command, and what the variables mean (docs/environment.md). */
import { execa } from 'execa';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';
import { sample, sampled } from '../support/full.ts';

interface Proxy {
  readonly port: number;
  /** The first bytes of each connection. */
  readonly heads: readonly string[];
}

type Reaction = (socket: Socket, head: string) => void;

/** A proxy that reacts this way to requests. */
async function proxy(react: Reaction, make = createServer as (on: (s: Socket) => void) => Server) {
  const heads: string[] = [];
  const server = make((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (chunk: Buffer) => {
      heads.push(chunk.toString('latin1'));
      react(socket, chunk.toString('latin1'));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, heads } satisfies Proxy;
}

const says =
  (text: string): Reaction =>
  (socket) =>
    void socket.end(text);
const status = (line: string): Reaction =>
  says(`HTTP/1.1 ${line}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
const emptyList = says(
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n[]',
);
const hangUp: Reaction = (socket) => void socket.destroy();

const list = ['builds', 'list'];
const create = ['builds', 'create', '-c', 'HEAD', '-b', 'main'];
const https = { CICTL_BASE_URL: 'https://ci.invalid', CICTL_TOKEN: 't', CICTL_ORG: 'acme' };
const http = { ...https, CICTL_BASE_URL: 'http://ci.invalid' };

test.each<[string, Reaction]>([
  ['hangs up', hangUp],
  ['ends', (socket) => void socket.end()],
  ['resets', (socket) => void socket.resetAndDestroy()],
  ['answers 502', status('502 Bad Gateway')],
  ['answers 503', status('503 Unavailable')],
  ['speaks something else', says('SSH-2.0-x\r\n')],
  ['hangs up in the handshake', says('HTTP/1.1 200 OK\r\n\r\n')],
])('tries a proxy that %s at CONNECT three times', async (_, react) => {
  const { port, heads } = await proxy(react);
  const env = { ...https, HTTPS_PROXY: `http://me:secret@127.0.0.1:${port}` };
  const { exitCode, stderr } = await cictl(list, { env });
  expect(exitCode).toBe(9);
  expect(stderr).toMatch(/^cictl: cannot list.*\n$/m);
  expect(stderr).toContain(`proxy 127.0.0.1:${port}`);
  expect(stderr).not.toContain('secret');
  expect(heads).toHaveLength(3);
});

test.each<[string, Reaction]>([
  ['hangs up', hangUp],
  ['speaks something else', says('SSH-2.0-x\r\n\r\n')],
])('names an HTTP proxy that %s', async (_, react) => {
  const { port, heads } = await proxy(react);
  const HTTP_PROXY = `http://me:secret@127.0.0.1:${port}`;
  const env = { ...http, HTTP_PROXY, CICTL_PIPELINE: 'web' };
  for (const [line, tries, arrived] of [
    [list, 3, false],
    [create, 4, true],
  ] as const) {
    const { exitCode, stderr } = await cictl([...line], { env });
    expect([exitCode, heads.length]).toEqual([9, tries]);
    expect(stderr).toContain(`(through the proxy 127.0.0.1:${port})`);
    expect(stderr).not.toContain('secret');
    expect(stderr.includes('may have arrived')).toBe(arrived);
  }
});

sampled.each(['http://127.0.0.1:1', 'https://127.0.0.1:1'])(
  'a proxy that is not there (%s) ends a tunnel at once',
  async (address) => {
    // The request timeout exceeds that of the test.
    const args = [...list, '--request-timeout', '1h'];
    const { exitCode, stderr } = await cictl(args, { env: { ...https, HTTPS_PROXY: address } });
    expect(exitCode).toBe(9);
    expect(stderr).toContain('through the proxy 127.0.0.1:1: connection refused');
  },
);

test('gives up on a proxy that never responds to CONNECT after three attempts', async () => {
  const { port } = await proxy(() => undefined);
  const env = { ...https, HTTPS_PROXY: `http://127.0.0.1:${port}` };
  const line = [...list, '--request-timeout', '300ms', '--debug'];
  const { exitCode, stderr } = await cictl(line, { env });
  expect(exitCode).toBe(9);
  expect(stderr.match(/^(?!cictl: ).*GET https.*within 0\.3 s/gm)).toHaveLength(3);
  expect(stderr).toContain(`within 0.3 s (through the proxy 127.0.0.1:${port})`);
});

test('tries a service that hangs up during the TLS handshake three times', async () => {
  const { port, heads } = await proxy(hangUp);
  const env = { ...https, CICTL_BASE_URL: `https://127.0.0.1:${port}` };
  const { exitCode } = await cictl(list, { env });
  expect([exitCode, heads.length]).toEqual([9, 3]);
});

test('sends a change once through a proxy that hangs up, and reports that it did not arrive', async () => {
  const { port, heads } = await proxy(hangUp);
  const env = { ...https, CICTL_PIPELINE: 'web', HTTPS_PROXY: `http://127.0.0.1:${port}` };
  const { exitCode, stderr } = await cictl(create, { env });
  expect([exitCode, heads.length]).toEqual([9, 1]);
  expect(stderr).not.toContain('arrived');
});

test.each<[string, Readonly<Record<string, string>>, string, string, string]>([
  ['407 to a tunnel', https, 'https_proxy', '407 x', 'requires a user name and password (407)'],
  ['407 to http', http, 'http_proxy', '407 x', 'requires a user name and password (407)'],
  [
    '403 to a tunnel',
    https,
    'https_proxy',
    '403 x',
    'did not open a tunnel to ci.invalid:443 (403)',
  ],
  [
    '400 to a tunnel',
    https,
    'https_proxy',
    '400 x',
    'did not open a tunnel to ci.invalid:443 (400)',
  ],
])('does not retry %s', async (_, env, variable, line, words) => {
  const { port, heads } = await proxy(status(line));
  const result = await cictl(list, { env: { ...env, [variable]: `127.0.0.1:${port}` } });
  expect([result.exitCode, heads.length]).toEqual([9, 1]);
  expect(result.stderr).toContain(`through the proxy 127.0.0.1:${port}: the proxy ${words}`);
});

test('a 407 after a password reports the rejection, without the password', async () => {
  const { port } = await proxy(status('407 x'));
  const env = { ...https, https_proxy: `http://me:secret@127.0.0.1:${port}` };
  const { stderr } = await cictl(list, { env });
  expect(stderr).toContain('rejected the user name or password');
  expect(stderr).not.toContain('secret');
});

sampled.each([
  ['ALL_PROXY', 'socks5://me:secret@127.0.0.1:9'],
  ['http_proxy', 'ftp://me:secret@127.0.0.1:9'],
  ['HTTP_PROXY', 'http://me:secret@'],
])('%s=%s is code 2 and names the variables', async (variable, value) => {
  const { exitCode, stderr } = await cictl(list, { env: { ...http, [variable]: value } });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('ALL_PROXY')]);
  expect(stderr).not.toContain('secret');
});

const hasCurl = (await execa('curl', ['--version'], { reject: false })).exitCode === 0;

/**
 * Settings from docs/environment.md that have the same effect for both; PROXY is the proxy's URL.
 */
const same: [string, string, Record<string, string>][] = [
  ['http', 'http://ci.invalid/x', { http_proxy: 'http://PROXY' }],
  ['no scheme', 'http://ci.invalid/x', { http_proxy: 'PROXY' }],
  ['https', 'https://ci.invalid/x', { HTTPS_PROXY: 'http://PROXY' }],
  [
    'lower case wins',
    'https://ci.invalid/x',
    { https_proxy: 'http://PROXY', HTTPS_PROXY: 'http://127.0.0.1:9' },
  ],
  [
    'an empty one is none',
    'https://ci.invalid/x',
    { https_proxy: '', HTTPS_PROXY: 'http://PROXY' },
  ],
  ['ALL_PROXY', 'http://ci.invalid/x', { ALL_PROXY: 'http://PROXY' }],
  ['ALL_PROXY for https', 'https://ci.invalid/x', { ALL_PROXY: 'http://PROXY' }],
  ['all_proxy is empty', 'http://ci.invalid/x', { all_proxy: '', ALL_PROXY: 'http://PROXY' }],
  [
    'the own one before ALL_PROXY',
    'http://ci.invalid/x',
    { http_proxy: 'http://PROXY', all_proxy: 'http://127.0.0.1:9' },
  ],
  ['a path', 'http://ci.invalid/x', { http_proxy: 'http://PROXY/some/path?q#f' }],
  ['a path, https', 'https://ci.invalid/x', { https_proxy: 'http://PROXY/some/path' }],
  ['user:@', 'http://ci.invalid/x', { http_proxy: 'http://user:@PROXY' }],
  ['user:@, https', 'https://ci.invalid/x', { https_proxy: 'http://user:@PROXY' }],
  ['user@', 'http://ci.invalid/x', { http_proxy: 'http://user@PROXY' }],
  [':password@', 'http://ci.invalid/x', { http_proxy: 'http://:pw@PROXY' }],
  ['%ZZ', 'http://ci.invalid/x', { http_proxy: 'http://u:a%ZZb%4@PROXY' }],
  ['%40 and %E9', 'http://ci.invalid/x', { http_proxy: 'http://u%40:a%3Ab%E9@PROXY' }],
  ['%ZZ, https', 'https://ci.invalid/x', { https_proxy: 'http://u:a%ZZb@PROXY' }],
  [
    'no_proxy is empty',
    'http://127.0.0.1:9/x',
    { http_proxy: 'http://PROXY', no_proxy: '', NO_PROXY: '*' },
  ],
  [
    'both are empty',
    'http://127.0.0.1:9/x',
    { http_proxy: 'http://PROXY', no_proxy: '', NO_PROXY: '' },
  ],
  ['*', 'http://127.0.0.1:9/x', { http_proxy: 'http://PROXY', NO_PROXY: '*' }],
  ['a name', 'http://a.ci.invalid/x', { http_proxy: 'http://PROXY', NO_PROXY: 'x ci.invalid' }],
  ['.name', 'http://ci.invalid/x', { http_proxy: 'http://PROXY', NO_PROXY: '.ci.invalid' }],
  ['half a name', 'http://nici.invalid/x', { http_proxy: 'http://PROXY', NO_PROXY: 'ci.invalid' }],
  ['CIDR', 'http://127.0.0.1:9/x', { http_proxy: 'http://PROXY', NO_PROXY: '127.0.0.0/8' }],
  ['another CIDR', 'http://127.0.0.1:9/x', { http_proxy: 'http://PROXY', NO_PROXY: '10.0.0.0/8' }],
  [
    'CIDR of 33 bits',
    'http://127.0.0.1:9/x',
    { http_proxy: 'http://PROXY', NO_PROXY: '127.0.0.0/33' },
  ],
  [
    'CIDR and a name',
    'http://localhost:9/x',
    { http_proxy: 'http://PROXY', NO_PROXY: '127.0.0.0/8' },
  ],
];

test.skipIf(!hasCurl).each(sample(same, 3))(
  '%s: %s is requested as curl does',
  async (_, url, settings) => {
    const { port, heads } = await proxy((socket, head) =>
      (head.startsWith('CONNECT') ? status('403 no') : emptyList)(socket, head),
    );
    const env = Object.fromEntries(
      Object.entries(settings).map(([k, v]) => [k, v.replace('PROXY', `127.0.0.1:${port}`)]),
    );
    const { PATH = '' } = process.env;
    const line = ['-s', '-m', '10', url];
    await execa('curl', line, { env: { PATH, ...env }, extendEnv: false, reject: false });
    const curl = heads.map(essence);
    const { origin, pathname } = new URL(url);
    // One attempt is enough: retries take the same route.
    const put = ['api', pathname, '-X', 'DELETE'];
    await cictl(put, { env: { CICTL_BASE_URL: origin, CICTL_TOKEN: 't', ...env } });
    expect(heads.slice(curl.length).map(essence)).toEqual(curl);
  },
);

/** The request to the proxy without method, path, host and credentials. */
function essence(head: string): string {
  const [line = '', ...lines] = head.split('\r\n');
  const header = (name: string) =>
    lines.find((each) => each.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2);
  const target = line.replace(/^(GET|DELETE) /, '').replace('/v2/x', '/x');
  return [target, header('host'), header('proxy-authorization')].join(' | ');
}

const hasOpenssl = (await execa('openssl', ['version'], { reject: false })).exitCode === 0;

/** A certificate for 127.0.0.1 and ci.invalid, as two files. */
async function certificate(home: Home) {
  const [key, cert] = [join(home.cwd, 'key.pem'), join(home.cwd, 'cert.pem')];
  const names = 'subjectAltName=IP:127.0.0.1,DNS:ci.invalid';
  const args = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=x', '-addext', names];
  await execa('openssl', ['req', '-x509', ...args, '-keyout', key, '-out', cert]);
  return { file: cert, key: await readFile(key), cert: await readFile(cert) };
}

test.skipIf(!hasOpenssl || !hasCurl)('through a TLS proxy, http uses absolute URLs', async () => {
  const home = await useHome();
  const { file, key, cert } = await certificate(home);
  const { port, heads } = await proxy(emptyList, (on: (s: Socket) => void) =>
    createTlsServer({ key, cert }, on),
  );
  const settings = { http_proxy: `https://me:pw@127.0.0.1:${port}` };
  const { PATH = '' } = process.env;
  const line = ['-s', '-m', '10', '--proxy-cacert', file, 'http://ci.invalid/x'];
  await execa('curl', line, { env: { PATH, ...settings }, extendEnv: false, reject: false });
  const env = { ...http, ...settings, NODE_EXTRA_CA_CERTS: file };
  const result = await cictl(['api', 'x'], { home, env, started: true });
  expect(result).toMatchObject({ exitCode: 0, stdout: '[]' });
  expect(heads.map(essence)).toEqual([
    'http://ci.invalid/x HTTP/1.1 | ci.invalid | Basic bWU6cHc=',
    'http://ci.invalid/x HTTP/1.1 | ci.invalid | Basic bWU6cHc=',
  ]);
});

test.skipIf(!hasOpenssl).each(['http', 'https'])(
  'https uses a tunnel of a proxy that speaks %s, which never sees the token',
  async (scheme) => {
    const home = await useHome();
    const { file, key, cert } = await certificate(home);
    const inner: string[] = [];
    const service = createTlsServer({ key, cert }, (socket) => {
      socket
        .on('error', () => undefined)
        .once('data', (chunk: Buffer) => {
          inner.push(chunk.toString('latin1'));
          emptyList(socket, '');
        });
    });
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
    onTestFinished(() => void service.close());
    const { connect } = await import('node:net');
    const open: Reaction = (socket) => {
      const out = connect((service.address() as AddressInfo).port, '127.0.0.1');
      out.on('error', () => undefined);
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(out).pipe(socket);
    };
    const make =
      scheme === 'https'
        ? (on: (s: Socket) => void) => createTlsServer({ key, cert }, on)
        : createServer;
    const { port, heads } = await proxy(open, make);
    const env = {
      ...https,
      https_proxy: `${scheme}://me:pw@127.0.0.1:${port}`,
      NODE_EXTRA_CA_CERTS: file,
    };
    const result = await cictl(['api', 'x'], { home, env, started: true });
    expect(result).toMatchObject({ exitCode: 0, stdout: '[]' });
    expect(heads.map(essence)).toEqual([
      'CONNECT ci.invalid:443 HTTP/1.1 | ci.invalid:443 | Basic bWU6cHc=',
    ]);
    expect(heads.join('').toLowerCase()).not.toContain('bearer');
    expect(inner.join('')).toContain('GET /v2/x HTTP/1.1');
    expect(inner.join('').toLowerCase()).not.toContain('proxy-authorization');
  },
);
