import { expect, test } from 'vitest';
import { createStreamLimit, withinSession } from './session-stream.ts';

test('a stream ends with its session, and lets go of what it came from', async () => {
  let isOver = false;
  let isClosed = false;
  async function* pieces() {
    try {
      for (;;) yield await Promise.resolve(Buffer.from('piece'));
    } finally {
      isClosed = true;
    }
  }
  const response = {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: pieces(),
  };
  const session = { formToken: 'form_1', isOver: () => isOver };
  const { headers, body } = withinSession(response, session);
  expect(headers).toEqual({ 'content-type': 'text/event-stream', 'form-token': 'form_1' });
  const read: unknown[] = [];
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    read.push(piece);
    isOver = read.length === 2;
  }
  expect([read.length, isClosed]).toEqual([2, true]);
});

test.each([null, 'text', Buffer.from('bytes')])('what is whole stays as it is: %j', (body) => {
  const response = { status: 200, headers: {}, body };
  expect(withinSession(response, { formToken: 'form_1', isOver: () => true })).toBe(response);
});

test('refuses more event streams of a session, and of all sessions, than the limit', () => {
  const limit = createStreamLimit(2, 3);
  const { signal } = new AbortController();
  const [one, two] = [{}, {}];
  const left = new AbortController();
  const leave = limit.take(one, signal);
  limit.take(one, left.signal);
  expect(() => limit.take(one, signal)).toThrow('Too many pages');
  limit.take(two, signal);
  expect(() => limit.take(two, signal)).toThrow('Too many pages');
  left.abort();
  leave();
  leave();
  limit.take(one, signal);
  limit.take(two, signal);
  expect(() => limit.take({}, signal)).toThrow('Too many pages');
});
