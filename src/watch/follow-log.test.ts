import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { CictlError } from '../errors.ts';
import type { Response } from '../http/transport.ts';
import { followLog } from './follow-log.ts';

type Range = string | undefined;

/** A log that grows by one text before each request; the job ends with the last one. */
async function follow(
  texts: readonly string[],
  respond: (log: string, range: Range) => Response,
): Promise<{ text: string; ranges: Range[] }> {
  const ended = new AbortController();
  const ranges: Range[] = [];
  const read = async (range: Range): Promise<Response> => {
    ranges.push(range);
    if (ranges.length >= texts.length) ended.abort();
    return Promise.resolve(respond(texts.slice(0, ranges.length).join(''), range));
  };
  let text = '';
  const log = { read, ended: ended.signal, clock: virtualClock(), pause: 100 };
  for await (const chunk of followLog(log)) text += Buffer.from(chunk).toString();
  return { text, ranges };
}

const response = (status: number, body: string, headers: Response['headers'] = {}): Response => ({
  status,
  headers,
  // Small pieces, as a network gives them.
  body: Readable.from((body.match(/.{1,3}/gs) ?? []).map((piece) => Buffer.from(piece))),
});

const whole = (log: string): Response => response(200, log);

function ranged(log: string, range: Range): Response {
  if (range === undefined) return whole(log);
  const length = Math.min(log.length, Number(/\d+/.exec(range)?.[0]));
  const start = log.length - length;
  const part = `bytes ${start}-${log.length - 1}/${log.length}`;
  return response(206, log.slice(start), { 'content-range': part });
}

test.each([
  ['a service that knows ranges', ranged],
  ['a service that sends all every time', whole],
])('%s: each byte once', async (_, respond) => {
  const { text } = await follow(['one two\n', '', 'three', ' four\n', ''], respond);
  expect(text).toBe('one two\nthree four\n');
});

test('asks for the end alone, once the beginning is known', async () => {
  const { ranges } = await follow(['12345', '678'], ranged);
  expect(ranges).toEqual([undefined, 'bytes=-4096', 'bytes=-4096']);
});

test('a job without a log has none', async () => {
  const { text } = await follow(['', '', ''], () => {
    throw new CictlError('not_found', 'no log');
  });
  expect(text).toBe('');
});

test('a log that cannot be read is reported', async () => {
  const failing = follow(['', ''], () => {
    throw new CictlError('auth', 'no scope');
  });
  await expect(failing).rejects.toThrow('no scope');
});

test('what begins silent is read after a pause', async () => {
  let reads = 0;
  const ended = new AbortController();
  const read = (): Promise<Response> => {
    if (++reads === 2) ended.abort();
    return Promise.resolve(whole('late'));
  };
  const sleeps: number[] = [];
  const clock = virtualClock();
  const sleep: typeof clock.sleep = (ms, signal) => {
    if (reads === 0) sleeps.push(ms);
    return clock.sleep(ms, signal);
  };
  const log = { read, ended: ended.signal, clock: { ...clock, sleep }, pause: 100 };
  const chunks = followLog({ ...log, isSilent: () => true });
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString();
  expect({ text, sleeps }).toEqual({ text: 'late', sleeps: [100] });
});
