import { expect, test } from 'vitest';
import { serve, type CannedResponse, type Exchange } from '../../test/support/server.ts';
import { testClient, type TestClient } from '../../test/support/client.ts';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { CictlError, toText } from '../errors.ts';

const build = { org: 'acme', pipeline: 'web', number: 7 };
const path = '/v2/organizations/acme/pipelines/web/builds/7';
const good: CannedResponse = { json: { id: 'x' } };
const busy = (headers: Record<string, string>): CannedResponse => ({
  status: 429,
  json: {},
  headers,
});
const reset: CannedResponse = { fault: 'reset' };
const broken: CannedResponse = { json: { id: 'x'.repeat(1000) }, fault: 'truncate' };

/** One call with these responses in turn: its result and how long it waited. */
async function run(
  responses: readonly CannedResponse[],
  verb: 'get' | 'cancel' = 'get',
  options: Parameters<typeof testClient>[2] = {},
) {
  const method = verb === 'get' ? 'GET' : 'PUT';
  const at = verb === 'get' ? path : `${path}/cancel`;
  const server = await serve(
    responses.map((response): Exchange => ({ method, path: at, answer: response })),
  );
  const clock = virtualClock();
  const client = testClient(server.url, clock, options);
  const result: unknown = await client.builds[verb](build).catch((error: unknown) => error);
  await client.close();
  await server.finish();
  return { result, waited: clock.now(), notices: client.notices };
}

test.each<[string, CannedResponse[], number]>([
  ['a broken connection', [reset, good], 400],
  ['two of them', [reset, reset, good], 1600],
  ['a body that breaks off', [broken, good], 400],
  ['502', [{ status: 502 }, good], 400],
  ['503', [{ status: 503 }, { status: 504 }, good], 1600],
  ['429 without a word', [busy({}), good], 400],
  ['RateLimit-Reset', [busy({ 'RateLimit-Reset': '42' }), good], 42_125],
  ['RateLimit-User-Reset', [busy({ 'RateLimit-User-Reset': '2' }), good], 2125],
  ['Rate-Limit-Reset', [busy({ 'Rate-Limit-Reset': '3' }), good], 3125],
  ['Retry-After', [busy({ 'Retry-After': '4' }), busy({ 'Retry-After': '5' }), good], 9250],
  ['503 with Retry-After', [{ status: 503, headers: { 'Retry-After': '6' } }, good], 6125],
  ['reset in the body', [{ status: 429, json: { reset: 8 } }, good], 8125],
])('repeats a GET after %s', async (_, responses, waited) => {
  expect(await run(responses)).toMatchObject({ result: { id: 'x' }, waited });
});

test('reports waits of more than a second', async () => {
  const { notices } = await run([reset, busy({ 'RateLimit-Reset': '42' }), good]);
  expect(notices).toEqual(['waiting 42.1 s for the service: rate limit exceeded']);
});

test.each<[string, CannedResponse[], string, string?]>([
  ['broken connections', [reset, reset, reset], 'connection '],
  ['broken bodies', [broken, broken, broken], 'the response was interrupted'],
  [
    '503',
    [{ status: 503 }, { status: 503 }, { status: 503 }],
    'the service failed (503)',
    'service_failed',
  ],
  ['429', [busy({}), busy({}), busy({})], 'rate limit exceeded after all attempts', 'rate_limited'],
])('a GET gives up after three %s', async (_, responses, text, kind = 'unreachable') => {
  const { result } = await run(responses);
  expect(result).toMatchObject({ kind });
  expect(String(result)).toContain(text);
});

test('waits for a PUT that was rate limited', async () => {
  const { result, waited } = await run([busy({ 'RateLimit-Reset': '2' }), good], 'cancel');
  expect(result).toEqual({ id: 'x' });
  expect(waited).toBe(2125);
});

test.each<[string, CannedResponse, string?]>([
  ['whose connection breaks', reset],
  ['whose answer breaks off', broken],
  ['answered with 502', { status: 502 }, 'service_failed'],
  ['answered with 503', { status: 503, headers: { 'Retry-After': '1' } }, 'service_failed'],
  ['whose answer is not HTTP', { raw: 'what?\r\n\r\n' }, 'invalid_response'],
])('never sends a PUT %s again', async (_, response, kind = 'unreachable') => {
  const { result, waited } = await run([response], 'cancel');
  expect(result).toMatchObject({ kind });
  expect(String(result)).toContain('the request may have arrived');
  expect(waited).toBe(0);
});

test('a PUT that could not connect has not arrived', async () => {
  const server = await serve([]);
  await server.finish();
  const client = testClient(server.url, virtualClock());
  const error: unknown = await client.builds.cancel(build).catch((caught: unknown) => caught);
  expect(String(error)).toContain(`cannot reach ${server.url}: connection refused`);
  expect(String(error)).not.toContain('may have arrived');
  expect(error).toMatchObject({ kind: 'unreachable', hint: 'cictl local up' });
  await client.close();
});

test.each<[string, CannedResponse[], number, string]>([
  [
    'at once',
    [busy({ 'RateLimit-Reset': '300' })],
    0,
    'the requested wait of 300 s is longer than --max-wait',
  ],
  [
    'in all',
    [busy({ 'Retry-After': '100' }), busy({ 'Retry-After': '21' })],
    100_125,
    'the requested wait of 21 s more is longer than --max-wait',
  ],
])('waits no longer than --max-wait, %s', async (_, responses, waited, text) => {
  const { result, ...rest } = await run(responses);
  const retryAfter: unknown = expect.any(Number);
  expect(result).toMatchObject({ kind: 'rate_limited', status: 429, retryAfter });
  expect(String(result)).toContain(text);
  expect(rest).toMatchObject({ waited });
});

test('the hint adds up the waits so far and the requested one', async () => {
  const waits = ['50', '60', '70'].map((seconds) => busy({ 'Retry-After': seconds }));
  const { result } = await run(waits.slice(0, 2), 'get', { maxWait: 100_000 });
  expect(result).toMatchObject({ hint: 'add --max-wait 110s' });
});

test.each<[Record<string, string | string[]>, string]>([
  [{ 'Retry-After': '9'.repeat(400) }, 'the service asked to wait a year or more'],
  [{ 'Retry-After': '99999999999' }, 'the service asked to wait a year or more'],
  [{ 'RateLimit-Reset': '1'.repeat(300) }, 'the service asked to wait a year or more'],
])('reports a wait of %j without a number, and gives no hint', async (headers, words) => {
  const { result } = await run([busy(headers as Record<string, string>)]);
  expect(result).toMatchObject({ kind: 'rate_limited', hint: undefined });
  expect(String(result)).toContain(words);
  expect(String(result)).not.toMatch(/Infinity|NaN|e\+/);
});

test('a repeated header counts once', async () => {
  const response: CannedResponse = {
    status: 429,
    json: {},
    headers: { 'RateLimit-Reset': ['42', '42'] },
  };
  expect(await run([response, good])).toMatchObject({ result: { id: 'x' }, waited: 42_125 });
});

test.each([
  [1, { maxWait: 0 }],
  [3, {}],
])("after %d attempts, 429 still shows the service's message", async (count, options) => {
  const message = 'You have exceeded your API rate limit. Please wait 1 second.';
  const response = { ...busy({ 'Retry-After': '1' }), json: { message, errors: ['more'] } };
  const { result } = await run(Array<CannedResponse>(count).fill(response), 'get', options);
  expect(result).toMatchObject({ details: [message, 'more'] });
  expect(toText(result)).toContain(`rate limit exceeded`);
  expect(toText(result)).toContain(message);
});

test('does not wait with --max-wait 0', async () => {
  const { result } = await run([busy({ 'Retry-After': '1' })], 'get', { maxWait: 0 });
  expect(result).toMatchObject({ hint: 'add --max-wait 1s' });
});

test('an interrupt ends a wait with its own reason', async () => {
  const server = await serve([{ path, answer: busy({ 'Retry-After': '60' }) }]);
  const interrupt = new AbortController();
  const reason = new Error('interrupted');
  const clock = {
    now: () => 0,
    sleep: (_ms: number, signal?: AbortSignal): Promise<void> => {
      interrupt.abort(reason);
      signal?.throwIfAborted();
      return Promise.resolve();
    },
  };
  const client = testClient(server.url, clock, { signal: interrupt.signal });
  await expect(client.builds.get(build)).rejects.toBe(reason);
  await client.close();
});

test('an interrupt ends a request with its own reason', async () => {
  const server = await serve([{ path, answer: { fault: 'hang' } }]);
  const interrupt = new AbortController();
  const reason = new Error('interrupted');
  const client = testClient(server.url, virtualClock(), { signal: interrupt.signal });
  const call = client.builds.get(build);
  while (server.requests.length === 0) await new Promise((next) => setImmediate(next));
  interrupt.abort(reason);
  await expect(call).rejects.toBe(reason);
  await client.close();
});

test('an interrupted change says that it may have arrived', async () => {
  const server = await serve([
    { method: 'PUT', path: `${path}/cancel`, answer: { fault: 'hang' } },
  ]);
  const interrupt = new AbortController();
  const client = testClient(server.url, virtualClock(), { signal: interrupt.signal });
  const call = client.builds.cancel(build);
  while (server.requests.length === 0) await new Promise((next) => setImmediate(next));
  interrupt.abort(new CictlError('interrupted', 'interrupted'));
  await expect(call).rejects.toMatchObject({
    kind: 'interrupted',
    message:
      'cannot cancel build acme/web/7: interrupted; the request may have arrived, so it is not sent again',
  });
  await client.close();
});

const redirected = async (
  location: (url: string) => string,
  then: Exchange[],
  call: (client: TestClient) => Promise<unknown> = (client) => client.builds.get(build),
): Promise<unknown> => {
  const server = await serve((url) => [
    { path, answer: { status: 307, headers: { location: location(url) } } },
    ...then,
  ]);
  const client = testClient(server.url, virtualClock());
  const result: unknown = await call(client).catch((error: unknown) => error);
  await client.close();
  await server.finish();
  return result;
};

test('follows a GET within its origin, with the token', async () => {
  const headers = { authorization: 'Bearer token-of-the-test' };
  const then = [{ path: '/moved?x=1', headers, answer: good }];
  expect(await redirected(() => '/moved?x=1', then)).toEqual({ id: 'x' });
  expect(await redirected((url) => `${url}/moved?x=1`, then)).toEqual({ id: 'x' });
});

test('does not redirect to another origin', async () => {
  const other = await serve([]);
  const result = await redirected(() => `${other.url}/moved`, []);
  expect(result).toMatchObject({ kind: 'invalid_response' });
  expect(String(result)).toContain(`redirects to ${other.url}, where the token must not be sent`);
});

test('detects a redirect loop', async () => {
  const again = { path, answer: { status: 302, headers: { location: path } } };
  const result = await redirected(() => path, [again, again, again, again, again]);
  expect(String(result)).toContain('the service redirects in a loop');
});
