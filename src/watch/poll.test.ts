import { expect, test } from 'vitest';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { CictlError } from '../errors.ts';
import { poll, type PollOptions } from './poll.ts';
import type { Clock } from '../clock.ts';

const minute = 60_000;
const outage = (): CictlError => new CictlError('unreachable', 'no route');

const failing = (status: number): CictlError =>
  new CictlError('unreachable', `the service answers ${status}`, { status });

const options = (clock: Clock, rest: Partial<PollOptions<number>> = {}): PollOptions<number> => ({
  clock,
  signal: new AbortController().signal,
  subject: 'build 7',
  maxOutage: 30 * minute,
  hasChanged: (before, now) => before !== now,
  ...rest,
});

/** Responses one after the other; the last one stays. */
function responses(...list: (number | Error)[]): () => Promise<number> {
  return () => {
    const response = list.length > 1 ? list.shift() : list[0];
    return response instanceof Error ? Promise.reject(response) : Promise.resolve(response ?? 0);
  };
}

/** The times, in seconds, of the first requests. */
async function times(
  count: number,
  fetch: () => Promise<number>,
  rest: Partial<PollOptions<number>> = {},
): Promise<number[]> {
  const clock = virtualClock();
  const polled = poll(fetch, options(clock, rest));
  const seen: number[] = [];
  while (seen.length < count) {
    await polled.next();
    seen.push(clock.now() / 1000);
  }
  return seen;
}

test('a fixed interval is kept', async () => {
  expect(await times(4, responses(1), { interval: 5000 })).toEqual([0, 5, 10, 15]);
});

test('requests get rarer while nothing happens, at most 15 s apart', async () => {
  const seen = await times(12, responses(1));
  expect(seen.slice(0, 3)).toEqual([0, 1, 2.5]);
  expect((seen[11] ?? 0) - (seen[10] ?? 0)).toBe(15);
});

test('a change makes the requests frequent again', async () => {
  expect(await times(5, responses(1, 1, 1, 2, 2))).toEqual([0, 1, 2.5, 4.75, 5.908]);
});

test('requests that always find changes stay below 50 a minute, and get rarer', async () => {
  let news = 0;
  const seen = await times(200, () => Promise.resolve(news++));
  const within = (start: number): number =>
    seen.filter((time) => time >= start && time < start + 60).length;
  expect(within(0)).toBeGreaterThan(20);
  expect(Math.max(...seen.map(within))).toBeLessThan(50);
  expect(within(600)).toBe(12);
});

test('a timeout ends a request that never completes, and names what was waited for', async () => {
  const timeout = new AbortController();
  const never = new Promise<number>(() => undefined);
  const polled = poll(() => never, options(virtualClock(), { signal: timeout.signal }));
  const next = polled.next();
  timeout.abort(new CictlError('timeout', 'gave up after 90 s'));
  await expect(next).rejects.toMatchObject({
    kind: 'timeout',
    message: 'gave up after 90 s of waiting for build 7',
  });
});

test('an outage is survived and reported', async () => {
  const pauses: number[] = [];
  const fetch = responses(1, outage(), outage(), outage(), 2);
  const onError = (_: CictlError, pause: number): Promise<void> => {
    pauses.push(pause);
    return Promise.resolve();
  };
  expect(await times(2, fetch, { onError })).toEqual([0, 5.75]);
  expect(pauses).toEqual([1000, 1500, 2250]);
});

test('an outage longer than the user allows ends the wait with its own error', async () => {
  const clock = virtualClock();
  const polled = poll(responses(1, outage()), options(clock));
  await polled.next();
  await expect(polled.next()).rejects.toMatchObject({ kind: 'unreachable' });
  expect(clock.now()).toBe(1000 + 30 * minute);
});

test('a service that names a time is asked again no sooner', async () => {
  const limited = new CictlError('unreachable', 'limited', { status: 429, retryAfter: 600_000 });
  expect(await times(2, responses(1, limited, 2))).toEqual([0, 601]);
});

test('two short outages are not one long one', async () => {
  const fetch = responses(1, outage(), outage(), 2, outage(), outage(), 3);
  expect(await times(3, fetch, { maxOutage: 3000, interval: 1000 })).toEqual([0, 3, 6]);
});

test('the first request must succeed', async () => {
  await expect(times(1, responses(outage(), 1))).rejects.toThrow('no route');
});

test.each<[string, CictlError, Partial<PollOptions<number>>]>([
  ['a service that says that it has failed', failing(503), {}],
  ['a service that has answered before', outage(), { wasReached: true }],
])('at the first request, %s is waited for', async (_, error, rest) => {
  expect(await times(1, responses(error, error, 1), rest)).toEqual([2.5]);
});

test('a rate limit at the first request is reported at once', async () => {
  await expect(times(1, responses(failing(429), 1))).rejects.toThrow('answers 429');
});

test('what is no outage ends the wait at once', async () => {
  const gone = new CictlError('not_found', 'no such build');
  await expect(times(2, responses(1, gone))).rejects.toBe(gone);
});

test('an interrupt also ends a request that never would', async () => {
  const interrupt = new AbortController();
  const never = new Promise<number>(() => undefined);
  const polled = poll(() => never, options(virtualClock(), { signal: interrupt.signal }));
  const next = polled.next();
  interrupt.abort(new CictlError('interrupted', 'interrupted'));
  await expect(next).rejects.toMatchObject({ kind: 'interrupted' });
});

test('an interrupt ends the pause with its reason', async () => {
  const interrupt = new AbortController();
  const polled = poll(responses(1), options(virtualClock(), { signal: interrupt.signal }));
  await polled.next();
  const next = polled.next();
  interrupt.abort(new CictlError('interrupted', 'interrupted'));
  await expect(next).rejects.toMatchObject({ kind: 'interrupted' });
});
