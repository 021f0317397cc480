/** Unusual HTTP responses, written to the socket byte by byte. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { acme, against, leadTo } from '../support/against.ts';
import { cictl } from '../support/cli.ts';
import { sampled } from '../support/full.ts';

const ok = (body = '[]'): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const raw = (text: string | Uint8Array) => ({ path: /./, answer: { raw: text } });
const list = ['builds', 'list', '--json'];
const create = ['builds', 'create', '-c', 'HEAD', '-b', 'main'];
const post = (answer: object) => ({
  ...{ method: 'POST', path: `${acme}/pipelines/web/builds`, answer },
});

sampled.each([
  ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['100 with headers', 'HTTP/1.1 100 Continue\r\nx-a: 1\r\nx-b: 2\r\n\r\n'],
  ['100 of HTTP/1.0', 'HTTP/1.0 100 Continue\r\n\r\n'],
  ['many of them', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)],
  ['102', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['103', 'HTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n'],
  ['199 and 100', 'HTTP/1.1 199 x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
])('%s before the response is skipped', async (_, head) => {
  const result = await against([raw(head + ok())], list);
  expect(result).toMatchObject({ exitCode: 0, stdout: '[]\n' });
});

/**
 * Responds with these chunks in sequence, from the third request on with `last`. Resolves to the
 * URL.
 */
async function inPieces(pieces: readonly string[], last = pieces): Promise<string> {
  let count = 0;
  const send = async (socket: Socket): Promise<void> => {
    for (const piece of count++ < 2 ? pieces : last) {
      await new Promise<void>((done) => socket.write(piece, () => setImmediate(done)));
    }
  };
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => undefined).on('data', () => void send(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('skips 100 Continue in single bytes, on a reused connection too', async () => {
  const look = (state: string): string[] => [
    ...Array.from('HTTP/1.1 100 Continue\r\n\r\n'),
    ok(JSON.stringify({ state, number: 8, id: 'b' })),
  ];
  const env = leadTo(await inPieces(look('running'), look('passed')));
  const line = ['builds', 'watch', '8', '-i', '10ms'];
  const { exitCode, stderr, stdout } = await cictl(line, { env });
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('closed')]);
  expect(stdout).toMatch(/running[^]*passed/);
});

test('a log keeps the text of a 100 Continue', async () => {
  const text = 'HTTP/1.1 100 Continue\r\n\r\nrest';
  const head = `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${text.length}\r\n\r\n`;
  const env = leadTo(await inPieces([head, text]));
  expect((await cictl(['api', 'x'], { env })).stdout).toBe(text);
});

const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n';
const bare = 'HTTP/1.1 101 Switching Protocols\r\n\r\n';

sampled.each([
  ['with', upgrade],
  ['without', bare],
])('101 %s the header Upgrade is told, to a POST as one that may have arrived', async (_, text) => {
  const read = await against([raw(text)], list);
  expect(read).toMatchObject({ exitCode: 9, stdout: '' });
  expect(read.stderr).toContain('the service returned 101, which is not followed for GET requests');
  const change = await against([post({ raw: text })], create);
  expect(change.exitCode).toBe(9);
  expect(change.stderr).toContain(
    '101, which is not followed for POST requests; the request may have arrived',
  );
});

sampled.each([300, 301, 302, 304, 307, 308, 399])(
  '%d to a POST may have arrived',
  async (status) => {
    const answer = { status, headers: { location: 'http://127.0.0.1:9/x' } };
    const { exitCode, stderr } = await against([post(answer)], create);
    expect(exitCode).toBe(9);
    expect(stderr).toContain(
      `${status}, which is not followed for POST requests; the request may have arrived`,
    );
  },
);

sampled.each(['000', '001', '099'])('status %s is told as no HTTP', async (status) => {
  const text = `HTTP/1.1 ${status} what\r\ncontent-length: 2\r\n\r\n[]`;
  const { exitCode, stderr, stdout } = await against([post({ raw: text })], create);
  expect([exitCode, stdout]).toEqual([9, '']);
  expect(stderr).toMatch(/^cictl: .*status.*the request may have arrived.*\n$/);
  expect(stderr).not.toMatch(/assert|expression|unexpected fault/i);
});

sampled.each([
  ['not HTTP', 'SSH-2.0-x\r\n\r\n', 'is not HTTP'],
  ['of status 000', 'HTTP/1.1 000 what\r\ncontent-length: 2\r\n\r\n[]', 'invalid status 0'],
  [
    'of two lengths',
    'HTTP/1.1 200 x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n[]',
    'length',
  ],
  ['with an endless head', `HTTP/1.1 200 x\r\na: ${'x'.repeat(200_000)}\r\n\r\n[]`, 'too large'],
  [
    'in broken chunks',
    'HTTP/1.1 201 x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n[]',
    'is not HTTP',
  ],
])('an answer %s is wrong, and nobody out of reach', async (_, text, words) => {
  const line = [...create, '--json'];
  const { exitCode, stderr } = await against([post({ raw: text })], line);
  expect(exitCode).toBe(9);
  const { error } = JSON.parse(stderr) as { error: { kind: string; message: string } };
  expect(error).toMatchObject({ kind: 'invalid_response' });
  expect(error.message).toContain(words);
  expect(error.message).toContain('the request may have arrived');
  expect(error.message).not.toContain('cannot reach');
});

sampled.each([600, 999])('status %d is told', async (status) => {
  const text = `HTTP/1.1 ${status} what\r\ncontent-length: 2\r\n\r\n[]`;
  const { exitCode, stderr } = await against([raw(text)], list);
  expect([exitCode, stderr]).toEqual([9, expect.stringContaining(String(status))]);
});

sampled.each([
  ['64 KiB', 70_000, 422],
  ['1 MiB, the message first', 3_000_000, 422],
  ['64 KiB and compressed nowhere', 200_000, 500],
])('the message of an error over %s survives', async (_, size, status) => {
  const json = { message: 'the reason "is" long', errors: [{ message: 'x'.repeat(size) }] };
  const { exitCode, stderr } = await against(
    [{ path: /./, answer: { status, json } }],
    ['orgs', 'list'],
  );
  expect([exitCode, stderr]).toEqual([
    status === 422 ? 8 : 9,
    expect.stringContaining('the reason "is" long'),
  ]);
});

sampled.each([
  [404, 'No build found', 7],
  [429, 'You have exceeded your API rate limit.', 9],
])('%d under --json keeps the words of the service in details', async (status, message, code) => {
  const answer = { status, json: { message }, headers: { 'retry-after': '9'.repeat(400) } };
  const view = ['builds', 'view', 'web/8', '--json'];
  const { exitCode, stderr } = await against([{ path: /./, answer }], view);
  expect(exitCode).toBe(code);
  const { error } = JSON.parse(stderr) as { error: { details: string[]; message: string } };
  expect(error.details).toEqual([message]);
  expect(stderr).not.toContain('Infinity');
});

test('finds the message of an error after 900 KB', async () => {
  const json = { junk: 'x'.repeat(900_000), message: 'at last' };
  const { stderr } = await against([{ path: /./, answer: { status: 422, json } }], list);
  expect(stderr).toContain('at last');
});

test('api shows the message of a long error too', async () => {
  const json = { message: 'the reason', junk: 'x'.repeat(3_000_000) };
  const { exitCode, stderr } = await against(
    [{ path: /./, answer: { status: 422, json } }],
    ['api', 'x'],
  );
  expect([exitCode, stderr]).toEqual([8, expect.stringContaining('the reason')]);
});
