/** `api`: sends any request to the service's origin and prints the response as received. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { against, leadTo } from '../support/against.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';
import { serve, type Exchange } from '../support/server.ts';
import { sampled } from '../support/full.ts';

const bytes = new Uint8Array([0, 255, 27, 91, 13, 10, 128]);

sampled.each([
  ['organizations', '/v2/organizations'],
  ['/v2/organizations?page=2', '/v2/organizations?page=2'],
  ['v3/metrics', '/v3/metrics'],
  ['a%2Fb/ü', '/v2/a%2Fb/%C3%BC'],
])('%s is sent to %s, and bytes come through', async (path, sent) => {
  const exchange = { path: sent, headers: { authorization: 'Bearer access-token' } };
  const { bytes: printed, exitCode } = await against(
    [{ ...exchange, answer: { body: bytes } }],
    ['api', path],
  );
  expect(exitCode).toBe(0);
  expect(new Uint8Array(printed)).toEqual(bytes);
});

test("accepts a URL of the service's origin", async () => {
  const server = await serve([{ path: '/v2/builds', answer: { json: [] } }]);
  const { exitCode } = await against([], ['api', `${server.url}/v2/builds`], {
    env: leadTo(server.url),
  });
  expect(exitCode).toBe(0);
});

const request = (method: string, path: string, body: unknown, rest: object = {}): Exchange => ({
  ...{ method, path, body, answer: { json: { ok: true } } },
  ...rest,
});

sampled.each([
  [
    ['-f', 'a=1', '-F', 'n=1', '-F', 'b=false'],
    request('POST', '/v2/x', { a: '1', n: 1, b: false }),
  ],
  [['-f', 'a=1', '-X', 'put'], request('PUT', '/v2/x', { a: '1' })],
  [['-f', 'a=1 2', '-X', 'GET'], request('GET', '/v2/x?a=1+2', '')],
  [['-X', 'DELETE'], request('DELETE', '/v2/x', '')],
  [['--input', '-'], request('POST', '/v2/x', 'raw \n')],
  [['--input', 'file'], request('POST', '/v2/x', '{"from":"file"}')],
  [
    ['-H', 'X-Own: a b', '-H', 'Accept: text/plain'],
    request('GET', '/v2/x', '', { headers: { 'x-own': 'a b', accept: 'text/plain' } }),
  ],
])('api x %j', async (args, exchange) => {
  const home = await useHome();
  await writeFile(join(home.cwd, 'file'), '{"from":"file"}');
  const { exitCode, stdout } = await against([exchange], ['api', 'x', ...args], {
    home,
    stdin: 'raw \n',
  });
  expect([exitCode, stdout]).toEqual([0, '{"ok":true}']);
});

sampled.each([
  [401, 6],
  [403, 6],
  [404, 7],
  [400, 8],
  [409, 8],
  [422, 8],
  [418, 8],
  [500, 9],
])('%i: the body is printed, the code is %i', async (status, code) => {
  const body = '{"message":"why\\u001b[31m"}';
  const { exitCode, stdout, stderr } = await against(
    [{ method: 'POST', path: '/v2/x', answer: { status, body } }],
    ['api', 'x', '-X', 'POST', '--jq', '.message'],
  );
  expect([exitCode, stdout]).toEqual([code, body]);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code, status } });
});

test("an error shows the service's reasons, with --silent too", async () => {
  const body = '{"message":"Validation Failed","errors":[{"field":"branch","code":"missing"}]}';
  const { stdout, stderr } = await against(
    [{ method: 'POST', path: '/v2/x', answer: { status: 422, body } }],
    ['api', 'x', '-X', 'POST', '--silent', '--json'],
  );
  expect(stdout).toBe('');
  expect(JSON.parse(stderr)).toMatchObject({
    error: { message: 'cannot POST /v2/x: Validation Failed', details: ['branch: missing'] },
  });
});

test('--include prints status and headers, --silent no body', async () => {
  const answer = { json: [1], headers: { 'x-own': 'y' } };
  const { stdout } = await against([{ path: '/v2/x', answer }], ['api', 'x', '-i']);
  expect(stdout).toMatch(/^HTTP 200\n(?:[\w-]+: .*\n)*x-own: y\n(?:[\w-]+: .*\n)*\n\[1\]$/);
  expect((await against([{ path: '/v2/x', answer }], ['api', 'x', '--silent'])).stdout).toBe('');
});

const pages = (url: string): Exchange[] => [
  {
    path: '/v2/x?per_page=1',
    answer: { json: [1], headers: { link: `<${url}/v2/x?page=2>; rel="next"` } },
  },
  { path: '/v2/x?page=2', answer: { json: [2] } },
];

test('--paginate follows the pages and keeps them separate', async () => {
  const line = ['api', 'x?per_page=1', '--paginate'];
  expect((await against(pages, line)).stdout).toBe('[1]\n[2]\n');
  expect((await against(pages, [...line, '--jq', '.[]'])).stdout).toBe('1\n2\n');
});

test('--paginate never follows to another origin', async () => {
  const link = '<http://127.0.0.1:1/v2/x?page=2>; rel="next"';
  const { exitCode, stdout } = await against(
    [{ path: '/v2/x', answer: { json: [1], headers: { link } } }],
    ['api', 'x', '--paginate'],
  );
  expect([exitCode, stdout]).toEqual([9, '[1]\n']);
});

test('-o yaml and --json convert the response', async () => {
  const exchange = { path: '/v2/x', answer: { body: '{ "a": 1 }' } };
  expect((await against([exchange], ['api', 'x', '--json'])).stdout).toBe('{"a":1}\n');
  expect((await against([exchange], ['api', 'x', '-o', 'yaml'])).stdout).toBe('a: 1\n');
});

sampled.each([
  [['https://example.com/v2/x'], 'is not the service URL'],
  [['http://127.0.0.1:1/v2/x'], 'is not the service URL'],
  [['x', '-H', 'Authorization: Bearer other'], 'cannot set the header'],
  [['x', '-H', 'Proxy-Authorization: Basic b3RoZXI='], 'cannot set the header'],
  [['x', '-H', 'no colon'], 'NAME: VALUE'],
  [['x', '-H', 'A: b\r\nC: d'], 'NAME: VALUE'],
  [['x', '-X', 'BREW'], 'the method must be one of'],
  [['x', '-f', 'a=1', '--input', '-'], 'cannot be used together'],
  [['x', '-X', 'GET', '--input', '-'], 'a GET request cannot have a body'],
  [['x', '--paginate', '-f', 'a=1'], 'requires a GET request'],
  [[], 'requires PATH'],
])('api %j is code 2 and sends nothing', async (args, words) => {
  const { exitCode, stderr } = await against([], ['api', ...args]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
});

sampled.each([
  [['-X', 'DELETE'], 'DELETE', null],
  [['-f', 'a=1'], 'POST', { a: '1' }],
  [['--input', '-'], 'POST', 'no JSON'],
])('--dry-run shows a change: %j', async (args, method, body) => {
  const line = ['api', 'x', ...args, '--dry-run', '--json'];
  const { stdout, exitCode } = await against([], line, { stdin: 'no JSON' });
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { method, body }]);
});

test('--dry-run still sends a GET', async () => {
  const exchange = { path: '/v2/x', answer: { json: [] } };
  expect((await against([exchange], ['api', 'x', '--dry-run'])).stdout).toBe('[]');
});

test.skipIf(!hasTerminal).each([
  ['application/json', '{"x":"\u001b]0;owned\u0007\u009b2J"}'],
  ['text/plain', 'red \u001b[31m\u001b]0;owned\u0007\r\nnext'],
])('a terminal shows only the text of %s', async (type, body) => {
  const answer = { body, headers: { 'content-type': type } };
  const { url } = await serve([{ path: '/v2/x', answer }]);
  const { screen } = await cictlInTerminal(['api', 'x', '--no-color'], {
    home: await useHome(),
    env: leadTo(url),
  });
  expect(screen).not.toMatch(/[\u001b\u009b\u0007]/);
  expect(screen).toMatch(/\r\n$/);
});

test.skipIf(!hasTerminal).each([
  [
    ['api', 'x'],
    '{"slug":"a","n":12345678901234567890.0}',
    '{',
    '  "slug": "a",',
    '  "n": 12345678901234567890.0',
    '}',
  ],
  [['api', 'x', '--jq', '.list'], '{"list":[1]}', '[', '  1', ']'],
])('a terminal shows indented, colored JSON: %j', async (args, body, ...lines) => {
  const answer = { body, headers: { 'content-type': 'application/json' } };
  const { url } = await serve([{ path: '/v2/x', answer }]);
  const { screen } = await cictlInTerminal(args, { home: await useHome(), env: leadTo(url) });
  expect(screen).toContain('\u001b[3');
  expect(screen.replace(/\u001b\[\d+m/g, '').split('\r\n')).toEqual([...lines, '']);
});
