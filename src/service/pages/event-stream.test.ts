import { expect, test } from 'vitest';
import { ApiError } from '../http/api-error.ts';
import { eventStream, lastEventId } from './event-stream.ts';
import { withinSession } from './sessions.ts';

const seen = (header: string | undefined, address = ''): string | undefined =>
  lastEventId({ header: () => header, query: new URLSearchParams(address) });

test.each(['0', '1795369718975', '209-1795369718975'])('%s is an id that pages have', (id) => {
  expect([seen(id), seen(undefined, `last-event-id=${id}`)]).toEqual([id, id]);
});

test('the header is of the later', () => {
  expect(seen('2', 'last-event-id=1')).toBe('2');
});

test.each(['', 'x', '-1', '1e9', '1'.repeat(5000), '1\n\nevent: part\ndata: {}', 'NaN', '1-2-3'])(
  'none of ours is none, so that it stands in no event: %j',
  (id) => {
    expect([
      seen(id),
      seen(undefined, new URLSearchParams({ 'last-event-id': id }).toString()),
    ]).toEqual([undefined, undefined]);
  },
);

test('a stream ends with its session while nothing happens, and so do its events', async () => {
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
  expect(read).toEqual(['retry: 1000\n\n', ': still here\n\n']);
  await ended;
});

test('servers between the browser and us are asked to gather nothing', () => {
  const { headers } = eventStream(new AbortController(), async function* () {});
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
});

/** What is read of a stream whose events come to such an end. */
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

test('a stream of what is gone ends, and is no fault of the service', async () => {
  const text = await readUntil(new ApiError(404, 'No build found'));
  expect(text).toBe('retry: 1000\n\nid: 1\nevent: part\ndata: {}\n\n');
});

test('what else goes wrong in a stream is one', async () => {
  await expect(readUntil(new Error('broken'))).rejects.toThrow('broken');
});
