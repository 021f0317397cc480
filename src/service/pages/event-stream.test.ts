import { expect, test } from 'vitest';
import { ApiError } from '../http/api-error.ts';
import {
  eventStream,
  lastEventId,
  followPictures,
  type Batch,
  type Part,
  type Picture,
} from './event-stream.ts';
import { withinSession } from './sessions.ts';
import type { PageCall } from './page-call.ts';

const seen = (header: string | undefined, address = ''): string | undefined =>
  lastEventId({ header: () => header, query: new URLSearchParams(address) });

test.each(['0', '1795369718975', '209-1795369718975'])('accepts the event id %s', (id) => {
  expect([seen(id), seen(undefined, `last-event-id=${id}`)]).toEqual([id, id]);
});

test('prefers the later of header and query', () => {
  expect(seen('2', 'last-event-id=1')).toBe('2');
});

test.each(['', 'x', '-1', '1e9', '1'.repeat(5000), '1\n\nevent: part\ndata: {}', 'NaN', '1-2-3'])(
  'ignores a foreign event id, so it appears in no event: %j',
  (id) => {
    expect([
      seen(id),
      seen(undefined, new URLSearchParams({ 'last-event-id': id }).toString()),
    ]).toEqual([undefined, undefined]);
  },
);

test('ends an idle stream when its session ends', async () => {
  let end: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  async function* quiet(signal: AbortSignal) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    end?.();
    yield { id: '1', event: 'part', data: {} };
  }
  let isOver = false;
  const session = { formToken: 'form_1', isOver: () => isOver };
  const stream = eventStream(new AbortController(), quiet, 1);
  const read: string[] = [];
  for await (const piece of withinSession(stream, session).body as AsyncIterable<Uint8Array>) {
    read.push(Buffer.from(piece).toString());
    isOver = read.length === 2;
  }
  expect(read).toEqual(['retry: 1000\n\n', ': heartbeat\n\n']);
  await ended;
});

test('asks proxies not to buffer the stream', () => {
  const { headers } = eventStream(new AbortController(), async function* () {});
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
});

/** What is read from a stream whose events end with this error. */
async function readUntil(error: Error): Promise<string> {
  async function* events() {
    yield { id: '1', event: 'part', data: {} };
    await Promise.reject(error);
  }
  let text = '';
  const { body } = eventStream(new AbortController(), events);
  for await (const piece of body as AsyncIterable<Uint8Array>)
    text += Buffer.from(piece).toString();
  return text;
}

test('ends the stream of a deleted page without an error', async () => {
  const text = await readUntil(new ApiError(404, 'No build found'));
  expect(text).toBe('retry: 1000\n\nid: 1\nevent: part\ndata: {}\n\n');
});

test('any other problem in a stream is an error', async () => {
  await expect(readUntil(new Error('broken'))).rejects.toThrow('broken');
});

/**
 * A service whose page shows one snapshot after another, each when the test says, and streams of
 * that page.
 */
function scene() {
  const service = {};
  let drawn = 0;
  let isOver = false;
  let show: (picture: Picture) => void = () => undefined;
  let next = new Promise<Picture>((resolve) => (show = resolve));
  async function* draw({ signal }: PageCall) {
    drawn++;
    signal.addEventListener('abort', () => (isOver = true));
    for (;;) {
      yield await next;
      next = new Promise((resolve) => (show = resolve));
    }
  }
  const follow = (seen: string, userId = 'u1') => {
    const left = new AbortController();
    const call = { service, params: {}, query: new URLSearchParams(), caller: { userId } };
    const batches = followPictures(
      { ...call, signal: left.signal } as unknown as PageCall,
      ...(['build', seen, draw] as const),
    );
    return {
      leave: () => left.abort(),
      /** The next markup of a page. */
      read: async () => {
        const batch = (await batches.next()).value as Batch<Picture> | undefined;
        return batch?.parts.map((json) => (JSON.parse(Buffer.from(json).toString()) as Part).html);
      },
      parts: async () => ((await batches.next()).value as Batch<Picture>).parts,
    };
  };
  return { follow, show: (one: Picture) => show(one), drawn: () => drawn, isOver: () => isOver };
}

const picture = (version: number, html: string): Picture => ({
  ...{ version: String(version), isExact: true, changed: [{ id: 'head', html }] },
  all: () =>
    Promise.resolve([
      { id: 'head', html },
      { id: 'jobs', html: 'all jobs' },
    ]),
});

test('renders once for all streams of a page, and sends them the same bytes', async () => {
  const { follow, show, drawn } = scene();
  const streams = [follow('0'), follow('0'), follow('1')];
  const first = streams.map((stream) => stream.parts());
  show(picture(1, 'one'));
  const [a, b, c] = await Promise.all(first);
  expect(a?.[0]).toBe(b?.[0]);
  expect([a?.length, c?.length]).toEqual([2, 0]);
  const second = streams.map((stream) => stream.parts());
  show(picture(2, 'two'));
  const [d, e, f] = await Promise.all(second);
  expect(d?.[0]).toBe(e?.[0]);
  expect(e?.[0]).toBe(f?.[0]);
  expect(drawn()).toBe(1);
});

test('a slow stream skips renderings that it missed', async () => {
  const { follow, show } = scene();
  const [fast, slow] = [follow('1'), follow('1')];
  const first = [fast.read(), slow.read()];
  show(picture(1, 'one'));
  await Promise.all(first);
  for (const [version, text] of [
    [2, 'two'],
    [3, 'three'],
  ] as const) {
    const read = fast.read();
    show(picture(version, text));
    expect(await read).toEqual([text]);
  }
  expect(await slow.read()).toEqual(['three']);
});

test('another user gets a separate rendering', async () => {
  const { follow, drawn } = scene();
  void follow('0').read();
  void follow('0', 'u2').read();
  await Promise.resolve();
  expect(drawn()).toBe(2);
});

test('stops rendering when the last stream closes', async () => {
  const { follow, show, isOver } = scene();
  const [a, b] = [follow('1'), follow('1')];
  const first = [a.read(), b.read()];
  show(picture(1, 'one'));
  await Promise.all(first);
  const rest = [a.read(), b.read()];
  a.leave();
  await rest[0];
  expect(isOver()).toBe(false);
  b.leave();
  await rest[1];
  expect(isOver()).toBe(true);
});
