/** Responses that are compressed, partial, or of an unexpected type. */
import { readdir } from 'node:fs/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { acme, against, leadTo } from '../support/against.ts';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { serve, type CannedResponse, type Exchange } from '../support/server.ts';
import { sampled } from '../support/full.ts';

const id = '0190046e-e199-453b-a302-a21a4d649d31';
const job = `acme/web/7#${id}`;
const logPath = `${acme}/pipelines/web/builds/7/jobs/${id}/log.txt`;
const text = 'one\ntwo\nlast\n';
const finished = { id, type: 'script', state: 'failed', finished_at: '2020-01-01T00:00:00Z' };
const build: Exchange = { path: /\/builds\/7(\?|$)/, answer: { json: { jobs: [finished] } } };

const log = (answer: CannedResponse, headers: Exchange['headers'] = {}): Exchange => ({
  path: logPath,
  headers,
  answer: { ...answer, headers: { 'content-type': 'text/plain', ...answer.headers } },
});
const encoded = (encoding: string, body: Uint8Array): CannedResponse => ({
  body,
  headers: { 'content-encoding': encoding },
});

test.each<[string, Uint8Array]>([
  ['gzip', gzipSync(text)],
  ['GZip', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  ['br', brotliCompressSync(text)],
  ['identity', Buffer.from(text)],
  ['', Buffer.from(text)],
  ['identity, gzip', gzipSync(text)],
])('prints a log sent as %j, caches it as text, and prints it again', async (encoding, body) => {
  const asks = { 'accept-encoding': 'gzip, br' };
  const { url } = await serve([log(encoded(encoding, body), asks), build]);
  const options = { home: await useHome(), env: leadTo(url) };
  const line = ['job', 'log', job, '--format', 'raw'];
  expect(await cictl(line, options)).toMatchObject({ exitCode: 0, stdout: text });
  expect(await cictl(line, options)).toMatchObject({ exitCode: 0, stdout: text });
});

sampled.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
])('JSON sent as %s is read', async (encoding, compress) => {
  const body = compress('[{"number":7,"state":"passed"}]');
  const exchange = { path: /builds/, answer: encoded(encoding, body) };
  const { stdout } = await against([exchange], ['builds', 'list', '--fields', 'number,state']);
  expect(stdout).toBe('7\tpassed\n');
});

test('reads a compressed error', async () => {
  const body = gzipSync('{"message":"not like that"}');
  const answer = { ...encoded('gzip', body), status: 422 };
  const { exitCode, stderr } = await against([{ path: /builds/, answer }], ['builds', 'list']);
  expect([exitCode, stderr]).toEqual([8, expect.stringContaining('not like that')]);
});

const zeros = (mebibytes: number): Uint8Array => Buffer.alloc(mebibytes * 1024 * 1024);
const broken = Buffer.from(gzipSync(Buffer.from(text.repeat(1000))));
broken[30] = (broken[30] ?? 0) ^ 0xff;

/** Cached logs and temporary files; compiled code is excluded. */
const keptLogs = async (cacheDir: string): Promise<string[]> =>
  (await readdir(cacheDir, { recursive: true }).catch(() => [])).filter(
    (name) => !name.startsWith('compiled') && /log-|\.part$/.test(name),
  );

test.each<[string, CannedResponse, string]>([
  ['a cut gzip', encoded('gzip', gzipSync(text).subarray(0, -4)), 'corrupt gzip'],
  ['a cut brotli', encoded('br', brotliCompressSync(text).subarray(0, -4)), 'corrupt br'],
  ['a damaged gzip', encoded('gzip', broken), 'corrupt gzip'],
  ['text that calls itself gzip', encoded('gzip', Buffer.from(text)), 'corrupt gzip'],
  ['deflate', encoded('deflate', deflateSync(text)), 'the unsupported encoding "deflate"'],
  ['zstd', encoded('zstd', Buffer.from('x')), 'the unsupported encoding "zstd"'],
  ['two encodings', encoded('gzip, br', gzipSync(text)), 'the unsupported encoding "gzip, br"'],
  ['a bomb of brotli', encoded('br', brotliCompressSync(zeros(65))), 'more than 1000 times'],
  ['a bomb of gzip', encoded('gzip', gzipSync(zeros(70))), 'more than 1000 times'],
])('%s exits with 9 in one line, and is not cached', async (name, answer, words) => {
  // For a large log, the tool checks immediately whether it may be cached.
  const asked = { path: /builds\/7\?/, answer: { status: 404, body: '{}' } };
  const server = await serve([log(answer), ...(name.includes('bomb') ? [asked] : [])]);
  const home = await useHome();
  const line = ['job', 'log', job, '--format', 'raw', '-O', 'out.log'];
  const { exitCode, stderr } = await cictl(line, { home, env: leadTo(server.url) });
  expect([exitCode, stderr]).toEqual([9, expect.stringContaining(words)]);
  expect(stderr.split('\n').filter((each) => each.startsWith('cictl:'))).toHaveLength(1);
  expect(await keptLogs(home.cacheDir)).toEqual([]);
  expect(await readdir(home.cwd)).toEqual([]);
});

test('api prints the decompressed text, and the headers as sent', async () => {
  const body = gzipSync('{"a":1}');
  const answer = encoded('gzip', body);
  const asked = { 'accept-encoding': 'gzip, br' };
  const exchange = { path: '/v2/x', headers: asked, answer };
  const { stdout } = await against([exchange], ['api', 'x', '-i']);
  const [head, rest] = stdout.split('\n\n');
  expect(rest).toBe('{"a":1}');
  expect(head).toContain('\ncontent-encoding: gzip');
  expect(head).toContain(`\ncontent-length: ${body.length}`);
});

test('api -X HEAD decompresses nothing', async () => {
  const answer = encoded('gzip', new Uint8Array());
  const result = await against(
    [{ method: 'HEAD', path: '/v2/x', answer }],
    ['api', 'x', '-X', 'HEAD'],
  );
  expect(result).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
});

test('api with corrupt gzip exits with 9', async () => {
  const answer = encoded('gzip', gzipSync(text).subarray(0, -4));
  const { exitCode, stderr } = await against([{ path: '/v2/x', answer }], ['api', 'x']);
  expect([exitCode, stderr]).toEqual([9, expect.stringContaining('corrupt gzip')]);
});

sampled.each([
  ['job', 'log', job, '--tail', '1'],
  ['api', 'x', '-H', 'Range: bytes=-262144'],
])('%s %s %s: a part is asked for as it is', async (...line) => {
  const asks = { range: 'bytes=-262144', 'accept-encoding': 'identity' };
  const answer = { status: 206, body: text, headers: { 'content-range': 'bytes 0-12/13' } };
  const exchange = { ...log(answer, asks), path: /log\.txt$|\/v2\/x$/ };
  const { exitCode } = await against([exchange], [...line, '--no-cache']);
  expect(exitCode).toBe(0);
});

const part = (
  range: string | undefined,
  body = text,
  rest: CannedResponse['headers'] = {},
): CannedResponse => ({
  status: 206,
  body,
  headers: { ...rest, ...(range !== undefined && { 'content-range': range }) },
});

test.each<[string, CannedResponse]>([
  ['unexpected partial response', part('bytes 0-12/13')],
  ['without Content-Range', part(undefined)],
])('rejects a 206 %s as the log', async (_, answer) => {
  const line = ['job', 'log', job, '--format', 'raw', '--no-cache'];
  const { exitCode, stderr, stdout } = await against([log(answer)], line);
  expect([exitCode, stdout, stderr]).toEqual([9, '', expect.stringContaining('206')]);
});

test.each<[string, CannedResponse]>([
  ['the beginning', part('bytes 0-12/1000')],
  ['the middle', part('bytes 400-412/1000')],
  ['too much', part('bytes 700-712/1000000')],
  ['no range', part(undefined)],
  ['nonsense', part('bytes x-y/z')],
  ['lines', part('lines 0-12/13')],
  ['what is compressed', part('bytes 0-12/13', text, { 'content-encoding': 'gzip' })],
  ['more than it says', part('bytes 0-5/6')],
])('rejects a 206 with %s as the end of the log', async (_, answer) => {
  const line = ['job', 'log', job, '--tail', '1', '--no-cache'];
  const { exitCode, stderr, stdout } = await against([log(answer)], line);
  expect([exitCode, stdout, stderr]).toEqual([9, '', expect.stringContaining('cictl: ')]);
});

test.each<[string, CannedResponse]>([
  ['all of it', part('bytes 0-12/13')],
  ['the size unsaid', part('bytes 0-12/*')],
  ['less of the end', part('bytes 987-999/1000')],
])('accepts a 206 with %s as the end of the log', async (_, answer) => {
  const looks = answer.headers?.['content-range'] === 'bytes 987-999/1000' ? 3 : 1;
  const line = ['job', 'log', job, '--tail', '1', '--no-cache'];
  const all = looks === 1 ? [] : [log({ body: text })];
  const { exitCode, stdout } = await against(
    [...Array<Exchange>(looks).fill(log(answer)), ...all],
    line,
  );
  expect([exitCode, stdout]).toEqual([0, 'last\n']);
});

test.each<[string, string, CannedResponse, number]>([
  ['bytes=0-3', 'the part', part('bytes 0-3/13', 'one\n'), 0],
  ['bytes=0-99', 'what there is', part('bytes 0-12/13'), 0],
  ['bytes=4-', 'the rest', part('bytes 4-12/13', 'two\nlast\n'), 0],
  ['bytes=0-3', 'another part', part('bytes 4-7/13', 'two\n'), 9],
  ['bytes=4-', 'a beginning', part('bytes 4-7/13', 'two\n'), 9],
])('api with Range: %s and response %s', async (range, _, answer, code) => {
  const line = ['api', 'x', '-H', `Range: ${range}`];
  const { exitCode } = await against([{ path: '/v2/x', answer }], line);
  expect(exitCode).toBe(code);
});

sampled.each([
  ['Text/HTML', 'HTML'],
  ['TEXT/HTML; charset=utf-8', 'HTML'],
  ['application/json', 'JSON'],
  ['Application/Problem+JSON', 'JSON'],
  ['application/xhtml+xml', 'XML'],
])('a log of type %s is no log, and is not kept', async (type, words) => {
  const server = await serve([log({ body: '{}', headers: { 'content-type': type } })]);
  const home = await useHome();
  const { exitCode, stderr } = await cictl(['job', 'log', job], { home, env: leadTo(server.url) });
  expect([exitCode, stderr]).toEqual([9, expect.stringContaining(words)]);
  expect(await keptLogs(home.cacheDir)).toEqual([]);
});

test.each<[string | undefined, boolean]>([
  ['text/plain', true],
  ['TEXT/Plain; charset=UTF-8', true],
  ['application/octet-stream', false],
  ['image/png', false],
])('prints and caches a log of type %s: %s', async (type, kept) => {
  const answer = { body: text, headers: { 'content-type': type ?? '' } };
  const again = kept ? [] : [log(answer)];
  const { url } = await serve([log(answer), ...(kept ? [build] : []), ...again]);
  const options = { home: await useHome(), env: leadTo(url) };
  const line = ['job', 'log', job];
  expect(await cictl(line, options)).toMatchObject({ exitCode: 0, stdout: text });
  expect(await cictl(line, options)).toMatchObject({ exitCode: 0, stdout: text });
});
