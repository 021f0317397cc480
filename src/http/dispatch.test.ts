import type { Dispatcher } from 'undici';
import { expect, onTestFinished, test, vi, afterEach, beforeEach, describe } from 'vitest';
import { all } from '../../test/support/client.ts';
import { dispatch, createResponseBody } from './dispatch.ts';
import type { Request } from './transport.ts';

type Handler = Required<Dispatcher.DispatchHandler>;

/** A request over a network that the test controls: what was sent, and the possible responses. */
function begun(rest: Partial<Request> = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const seen: { sent: Dispatcher.DispatchOptions[]; aborts: unknown[]; flow: string[] } = {
    ...{ sent: [], aborts: [], flow: [] },
  };
  let handler: Handler | undefined;
  const agent = {
    dispatch(options: Dispatcher.DispatchOptions, given: Dispatcher.DispatchHandler) {
      seen.sent.push(options);
      handler = given as Handler;
      return true;
    },
  };
  const controller = {
    abort: (reason: unknown) => void seen.aborts.push(reason),
    pause: () => void seen.flow.push('pause'),
    resume: () => void seen.flow.push('resume'),
  } as unknown as Dispatcher.DispatchController;
  const url = new URL('http://ci.test:81/a/b?c=d#e');
  const request: Request = { method: 'GET', url, headers: {}, timeout: 2500, ...rest };
  const response = dispatch(agent, request);
  response.catch(() => undefined);
  const head = (status: number, headers: Record<string, string | string[] | undefined> = {}) =>
    handler?.onResponseStart(controller, status, headers, '');
  return {
    ...{ response, head, ...seen },
    start: () => handler?.onRequestStart(controller, {}),
    data: (text: string) => handler?.onResponseData(controller, Buffer.from(text)),
    end: () => handler?.onResponseEnd(controller, {}),
    fail: (error: Error) => handler?.onResponseError(controller, error),
    wait: (ms: number) => void vi.advanceTimersByTime(ms),
  };
}

const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> =>
  Buffer.concat(await all(body)).toString();

test('sends URL, headers and body, and sets no timeout in the library', () => {
  const body = new Uint8Array([97, 98]);
  const { sent, start, head, end } = begun({ method: 'POST', headers: { a: 'b' }, body });
  expect(sent).toEqual([
    {
      ...{ origin: 'http://ci.test:81', path: '/a/b?c=d', method: 'POST', headers: { a: 'b' } },
      ...{ body: Buffer.from('ab'), headersTimeout: 0, bodyTimeout: 0 },
    },
  ]);
  expect(begun({ body: 'text' }).sent).toMatchObject([{ body: 'text' }]);
  expect(begun().sent).toMatchObject([{ body: null }]);
  start();
  head(200);
  end();
});

test('the response head comes before its body, with joined headers', async () => {
  const { response, start, head, data, end } = begun();
  start();
  head(201, { 'X-A': ['1', '2'], b: 'c\td', none: undefined });
  const { status, headers, body } = await response;
  expect({ status, headers }).toEqual({
    status: 201,
    headers: { 'x-a': '1, 2', b: 'c d', none: '' },
  });
  data('a');
  data('b');
  end();
  expect(await textOf(body)).toBe('ab');
});

test('ignores informational responses', async () => {
  const { response, start, head, end } = begun();
  start();
  head(100);
  head(103);
  head(204);
  end();
  expect(await response).toMatchObject({ status: 204 });
});

test('rejects a status that HTTP does not have', async () => {
  const { response, start, head, aborts } = begun();
  start();
  head(99);
  await expect(response).rejects.toMatchObject({
    ...{ message: 'cannot understand http://ci.test:81: invalid status 99' },
    ...{ reached: 'maybe', isWrongResponse: true },
  });
  expect(aborts).toHaveLength(1);
});

test.each<[string, boolean, string]>([
  ['before it is sent', false, 'no'],
  ['once it is sent', true, 'maybe'],
])('reports a connection that fails %s', async (_, isSent, reached) => {
  const { response, start, fail } = begun();
  if (isSent) start();
  const cause = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
  fail(cause);
  await expect(response).rejects.toMatchObject({
    ...{ message: 'cannot reach http://ci.test:81: connection refused', reached, cause },
  });
});

test('a broken body gives its first bytes, then the error', async () => {
  const { response, start, head, data, fail } = begun();
  start();
  head(200);
  data('ab');
  fail(Object.assign(new Error('x'), { code: 'ECONNRESET' }));
  const seen: string[] = [];
  const reading = (async () => {
    for await (const piece of (await response).body) seen.push(Buffer.from(piece).toString());
  })();
  await expect(reading).rejects.toMatchObject({
    ...{ message: 'the response was interrupted: connection reset', reached: 'maybe' },
  });
  expect(seen).toEqual(['ab']);
});

test.each<[boolean, string]>([
  [false, 'no'],
  [true, 'maybe'],
])('limits the wait for the response head, sent or not: %s', async (isSent, reached) => {
  const { response, start, wait, aborts } = begun();
  if (isSent) start();
  wait(2499);
  expect(aborts).toEqual([]);
  wait(1);
  await expect(response).rejects.toMatchObject({
    ...{ message: 'no response from http://ci.test:81 within 2.5 s', reached },
  });
  expect(aborts).toHaveLength(isSent ? 1 : 0);
});

test('the body timeout starts with the head', async () => {
  const { response, start, head, wait, aborts } = begun();
  start();
  wait(2000);
  head(200);
  wait(2499);
  expect(aborts).toEqual([]);
  const { body } = await response;
  wait(1);
  await expect(textOf(body)).rejects.toMatchObject({
    ...{ message: 'no more data from http://ci.test:81 for 2.5 s', reached: 'maybe' },
  });
  expect(aborts).toHaveLength(1);
});

test('ignores timeouts and errors after the end', async () => {
  const { response, start, head, data, end, wait, fail, aborts } = begun();
  start();
  head(200);
  data('a');
  end();
  wait(100_000);
  fail(new Error('late'));
  expect(await textOf((await response).body)).toBe('a');
  expect(aborts).toEqual([]);
});

test('does not send a request that was abandoned before', async () => {
  const { response, start, wait, aborts } = begun();
  wait(2500);
  await expect(response).rejects.toMatchObject({ reached: 'no' });
  start();
  expect(aborts).toEqual([
    expect.objectContaining({ message: 'canceled before it was sent', reached: 'no' }),
  ]);
});

test('sends nothing after an interrupt', async () => {
  const reason = new Error('interrupted');
  const { response, sent } = begun({ signal: AbortSignal.abort(reason) });
  await expect(response).rejects.toBe(reason);
  expect(sent).toEqual([]);
});

test.each<[Request['method'], boolean]>([
  ['GET', true],
  ['PUT', false],
])('an interrupt of a %s ends it with its own reason: %s', async (method, isBare) => {
  const interrupt = new AbortController();
  const reason = new Error('interrupted');
  const { response, start, aborts } = begun({ method, signal: interrupt.signal });
  start();
  interrupt.abort(reason);
  const error: unknown = await response.catch((caught: unknown) => caught);
  if (isBare) expect(error).toBe(reason);
  else expect(error).toMatchObject({ message: 'interrupted', reached: 'maybe', cause: reason });
  expect(aborts).toEqual([error]);
});

test('a change that was not sent yet is interrupted with the plain reason', async () => {
  const interrupt = new AbortController();
  const reason = new Error('interrupted');
  const { response } = begun({ method: 'PUT', signal: interrupt.signal });
  interrupt.abort(reason);
  await expect(response).rejects.toBe(reason);
});

test('ignores an interrupt after the end', async () => {
  const interrupt = new AbortController();
  const { response, start, head, end, aborts } = begun({ signal: interrupt.signal });
  start();
  head(200);
  end();
  interrupt.abort(new Error('late'));
  expect(await textOf((await response).body)).toBe('');
  expect(aborts).toEqual([]);
});

test('closing the reader frees the connection', async () => {
  const { response, start, head, data, aborts } = begun();
  start();
  head(200);
  data('a');
  for await (const piece of (await response).body) if (piece.length > 0) break;
  expect(aborts).toEqual([
    expect.objectContaining({ message: 'the response was not read', reached: 'maybe' }),
  ]);
});

test('a slow reader pauses the network', async () => {
  const { response, start, head, data, end, flow } = begun();
  start();
  head(200);
  data('x'.repeat(300_000));
  expect(flow).toEqual(['pause']);
  const chunks = (await response).body[Symbol.asyncIterator]();
  expect((await chunks.next()).value).toHaveLength(300_000);
  expect(flow).toEqual(['pause', 'resume']);
  end();
  expect((await chunks.next()).done).toBe(true);
});

test('an upgraded connection has an empty response', async () => {
  const { response, start, head, aborts } = begun();
  start();
  head(101, { Upgrade: 'x' });
  const { status, headers, body } = await response;
  expect({ status, headers }).toEqual({ status: 101, headers: { upgrade: 'x' } });
  expect(await textOf(body)).toBe('');
  expect(aborts).toEqual([expect.objectContaining({ message: 'protocol switch not requested' })]);
});

test('the library also reports an upgrade by its message, but not within a body', async () => {
  const early = begun();
  early.start();
  early.fail(new Error('bad upgrade'));
  expect(await early.response).toMatchObject({ status: 101, headers: {} });
  const late = begun();
  late.start();
  late.head(200);
  late.fail(new Error('bad upgrade'));
  await expect(textOf((await late.response).body)).rejects.toMatchObject({
    message: 'the response was interrupted: bad upgrade',
  });
});

test('ignores an upgrade after a timeout', async () => {
  const { response, start, head, wait, aborts } = begun();
  start();
  wait(2500);
  head(101);
  await expect(response).rejects.toMatchObject({
    message: expect.stringContaining('within') as string,
  });
  expect(aborts).toHaveLength(1);
});

describe('response body', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const kib = 1024;

  /** A body that records events; a chunk may take a second. */
  function body() {
    const events: string[] = [];
    const note = (word: string) => () => void events.push(word);
    const made = createResponseBody({
      timeout: 1000,
      ...{ pause: note('pause'), resume: note('resume') },
      ...{ cancel: note('cancel'), stall: note('stall') },
    });
    const reader = made.stream[Symbol.asyncIterator]();
    const read = async (): Promise<number | undefined> => {
      const next = await reader.next();
      return next.done === true ? undefined : next.value.length;
    };
    return {
      ...{ events, reader, read },
      begin: () => made.begin(),
      push: (size: number) => made.push(new Uint8Array(size)),
      end: () => made.end(),
      fail: (error: Error) => made.fail(error),
    };
  }

  /** Node decides whether waiting data arrives in one chunk. */
  async function sizeOf(read: () => Promise<number | undefined>): Promise<number> {
    let size = 0;
    for (let piece = await read(); piece !== undefined; piece = await read()) size += piece;
    return size;
  }

  test('returns chunks in order, then the end', async () => {
    const { push, end, read } = body();
    push(1);
    push(2);
    end();
    expect(await sizeOf(read)).toBe(3);
    expect(await read()).toBeUndefined();
  });

  test('a reader that came first gets the next chunk, and the end', async () => {
    const { push, end, read } = body();
    const first = read();
    await Promise.resolve();
    push(3);
    expect(await first).toBe(3);
    const last = read();
    await Promise.resolve();
    end();
    expect(await last).toBeUndefined();
  });

  test('an error comes after the chunks before it', async () => {
    const { push, fail, read } = body();
    push(1);
    fail(new Error('broken off'));
    expect(await read()).toBe(1);
    await expect(read()).rejects.toThrow('broken off');
  });

  test('each chunk restarts the timeout, which ends with the body', () => {
    const { begin, push, end, events } = body();
    begin();
    for (let pieces = 0; pieces < 5; pieces++) {
      vi.advanceTimersByTime(999);
      push(1);
    }
    expect(events).toEqual([]);
    end();
    vi.advanceTimersByTime(10_000);
    expect(events).toEqual([]);
  });

  test('times out if the service stops sending', () => {
    const { begin, push, events } = body();
    begin();
    push(1);
    vi.advanceTimersByTime(999);
    expect(events).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(events).toEqual(['stall']);
  });

  test('256 KiB of unread data pause the service and the timeout', async () => {
    const { begin, push, events, read } = body();
    begin();
    push(256 * kib - 1);
    expect(events).toEqual([]);
    push(1);
    push(1);
    expect(events).toEqual(['pause']);
    vi.advanceTimersByTime(60_000);
    expect(events).toEqual(['pause']);
    await read();
    expect(events).toEqual(['pause', 'resume']);
    vi.advanceTimersByTime(1000);
    expect(events).toEqual(['pause', 'resume', 'stall']);
  });

  test('the service resumes when the buffer was read', async () => {
    const { begin, push, events, read } = body();
    begin();
    for (const size of [100, 28, 128]) push(size * kib);
    expect(events).toEqual(['pause']);
    let size = 0;
    while (size < 256 * kib) size += (await read()) ?? Infinity;
    expect([size, events]).toEqual([256 * kib, ['pause', 'resume']]);
  });

  test('does not resume a service that has sent everything', async () => {
    const { push, end, events, read } = body();
    push(256 * kib);
    end();
    await read();
    expect(events).toEqual(['pause']);
  });

  test('an early return cancels the request, a complete read does not', async () => {
    const early = body();
    early.push(1);
    await early.reader.return?.();
    expect(early.events).toEqual(['cancel']);
    const late = body();
    late.end();
    expect(await late.reader.return?.()).toEqual({ done: true, value: undefined });
    expect(late.events).toEqual([]);
  });
});
