import { expect, test, describe } from 'vitest';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { CictlError } from '../errors.ts';
import {
  poll,
  type PollOptions,
  pollInterval,
  createOutageReporter,
  followBuild,
  type FollowOptions,
} from './poll.ts';
import type { Clock } from '../common/clock.ts';
import type { Build } from '../api/resources/build.ts';

describe('poll', () => {
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

  /** These responses in turn; the last one repeats. */
  function responses(...list: (number | Error)[]): () => Promise<number> {
    return () => {
      const response = list.length > 1 ? list.shift() : list[0];
      return response instanceof Error ? Promise.reject(response) : Promise.resolve(response ?? 0);
    };
  }

  /** The times of the first requests, in seconds. */
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

  test('keeps a fixed interval', async () => {
    expect(await times(4, responses(1), { interval: 5000 })).toEqual([0, 5, 10, 15]);
  });

  test('polls less often while nothing happens, at least every 15 s', async () => {
    const seen = await times(12, responses(1));
    expect(seen.slice(0, 3)).toEqual([0, 1, 2.5]);
    expect((seen[11] ?? 0) - (seen[10] ?? 0)).toBe(15);
  });

  test('polls often again after a change', async () => {
    expect(await times(5, responses(1, 1, 1, 2, 2))).toEqual([0, 1, 2.5, 4.75, 5.908]);
  });

  test('stays below 50 requests a minute if changes never stop', async () => {
    let news = 0;
    const seen = await times(200, () => Promise.resolve(news++));
    const within = (start: number): number =>
      seen.filter((time) => time >= start && time < start + 60).length;
    expect(within(0)).toBeGreaterThan(20);
    expect(Math.max(...seen.map(within))).toBeLessThan(50);
    expect(within(600)).toBe(12);
  });

  test('a timeout aborts a request that never completes, and names the subject', async () => {
    const timeout = new AbortController();
    const never = new Promise<number>(() => undefined);
    const polled = poll(() => never, options(virtualClock(), { signal: timeout.signal }));
    const next = polled.next();
    timeout.abort(new CictlError('timeout', 'gave up after 90 s'));
    await expect(next).rejects.toMatchObject({
      kind: 'timeout',
      message: 'gave up after 90 s waiting for build 7',
    });
  });

  test('survives and reports an outage', async () => {
    const pauses: number[] = [];
    const fetch = responses(1, outage(), outage(), outage(), 2);
    const onError = (_: CictlError, pause: number): Promise<void> => {
      pauses.push(pause);
      return Promise.resolve();
    };
    expect(await times(2, fetch, { onError })).toEqual([0, 5.75]);
    expect(pauses).toEqual([1000, 1500, 2250]);
  });

  test('an outage longer than allowed ends the wait with its own error', async () => {
    const clock = virtualClock();
    const polled = poll(responses(1, outage()), options(clock));
    await polled.next();
    await expect(polled.next()).rejects.toMatchObject({ kind: 'unreachable' });
    expect(clock.now()).toBe(1000 + 30 * minute);
  });

  test('does not poll again before the Retry-After time', async () => {
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
  ])('retries %s at the first request', async (_, error, rest) => {
    expect(await times(1, responses(error, error, 1), rest)).toEqual([2.5]);
  });

  test('reports a rate limit at the first request immediately', async () => {
    await expect(times(1, responses(failing(429), 1))).rejects.toThrow('answers 429');
  });

  test('other errors end the wait immediately', async () => {
    const gone = new CictlError('not_found', 'no such build');
    await expect(times(2, responses(1, gone))).rejects.toBe(gone);
  });

  test('an interrupt ends a request that never completes', async () => {
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
});

const near = { min: 250, max: 2000 };
const far = { min: 1000, max: 15_000 };

test.each([
  ['http://127.0.0.1:8080', near],
  ['http://127.1.2.3', near],
  ['http://localhost:3000/x', near],
  ['http://[::1]:80', near],
  ['https://api.buildkite.com', far],
  ['http://localhost.example', far],
  ['http://my-localhost', far],
  ['http://127.0.0.1.example', far],
  ['http://128.0.0.1', far],
  ['http://10.127.0.1', far],
])('polls %s every %j', (url, pace) => {
  expect(pollInterval(url)).toEqual(pace);
});

describe('outage', () => {
  const error = new CictlError('unreachable', 'no route');

  /** The notes and debug messages for errors at these times (ms) with these pauses. */
  async function outage(errors: readonly (readonly [at: number, pause: number])[]) {
    let now = 0;
    const lines: string[] = [];
    const reporter = createOutageReporter(
      { note: (line) => Promise.resolve(void lines.push(line)) },
      {
        clock: { now: () => now, sleep: () => Promise.resolve() },
        messages: { debug: (line) => void lines.push(`(${line})`) },
      },
    );
    for (const [at, pause] of errors) {
      now = at;
      await reporter.onError(error, pause);
    }
    return { lines, look: reporter.watched(() => Promise.resolve('seen')) };
  }
  const again = (seconds: string): string => `no route; retrying in ${seconds} s`;

  test('reports an outage immediately, and again after a minute', async () => {
    const times = [5000, 20_000, 64_999, 65_000, 124_999];
    const { lines } = await outage(times.map((at) => [at, 1500]));
    const [line, quiet] = [again('1.5'), `(${again('1.5')})`];
    expect(lines).toEqual([line, quiet, quiet, line, quiet]);
  });

  test('reports each pause of a minute', async () => {
    const { lines } = await outage([0, 1, 2].map((at) => [at, at === 1 ? 60_000 : 59_999]));
    expect(lines).toEqual([again('60.0'), again('60.0'), `(${again('60.0')})`]);
  });

  test('reports the end of an outage once, and a new outage again', async () => {
    const { lines, look } = await outage([[0, 1000]]);
    expect([await look(), await look()]).toEqual(['seen', 'seen']);
    expect(lines).toEqual([again('1.0'), 'the service is reachable again']);
  });

  test('reports nothing without an outage', async () => {
    const { lines, look } = await outage([]);
    await look();
    expect(lines).toEqual([]);
  });
});

/** The events for a list of states, up to the settled build. */
async function followed(builds: readonly Build[], rest: Partial<FollowOptions> = {}) {
  const left = [...builds];
  const events: string[] = [];
  const settled = await followBuild(() => Promise.resolve(left.shift() ?? {}), {
    clock: virtualClock(),
    signal: new AbortController().signal,
    subject: 'build 1',
    maxOutage: 0,
    onEvent: (event) => {
      events.push(event.event === 'build' ? `build ${event.build.state ?? ''}` : event.event);
      return Promise.resolve();
    },
    ...rest,
  });
  return { settled, events, left };
}

test('follows a build to its end and not beyond', async () => {
  const passed = { state: 'passed' };
  const builds = [{ state: 'scheduled' }, { state: 'running' }, { state: 'running' }, passed, {}];
  const { settled, events, left } = await followed(builds);
  expect(settled).toBe(passed);
  expect(events).toEqual(['build scheduled', 'build running', 'build passed']);
  expect(left).toHaveLength(1);
});

test('continues where another follower stopped', async () => {
  const { events } = await followed([{ state: 'running' }, { state: 'canceled' }], {
    before: { state: 'running' },
  });
  expect(events).toEqual(['build canceled']);
});

test('reports an already settled build once', async () => {
  const { events } = await followed([{ state: 'running', blocked: true }]);
  expect(events).toEqual(['build running']);
});

test('can follow a build to another state', async () => {
  const running = { state: 'running' };
  const { settled, left } = await followed([{ state: 'scheduled' }, running, { state: 'passed' }], {
    isDone: (build) => build.state === 'running',
  });
  expect(settled).toBe(running);
  expect(left).toHaveLength(1);
});

test('polls again after earlier events were consumed', async () => {
  const order: string[] = [];
  const states = ['running', 'passed'];
  await followBuild(
    () => {
      const state = states.shift() ?? '';
      order.push(`fetch ${state}`);
      return Promise.resolve({ state });
    },
    {
      clock: virtualClock(),
      signal: new AbortController().signal,
      subject: 'build 1',
      maxOutage: 0,
      onEvent: async () => {
        await new Promise((next) => setImmediate(next));
        order.push('event');
      },
    },
  );
  expect(order).toEqual(['fetch running', 'event', 'fetch passed', 'event']);
});

/** The time of each request, in seconds. */
async function timesOf(builds: readonly Build[]): Promise<number[]> {
  const clock = virtualClock();
  const left = [...builds];
  const times: number[] = [];
  const fetch = () => {
    times.push(clock.now() / 1000);
    return Promise.resolve(left.shift() ?? {});
  };
  const signal = new AbortController().signal;
  const onEvent = () => Promise.resolve();
  await followBuild(fetch, { clock, signal, subject: 'build 1', maxOutage: 0, onEvent });
  return times;
}

test('polls less often without changes, and more often after a job changes', async () => {
  const still = { state: 'running', jobs: [{ id: 'a', state: 'running' }] };
  const passed = { ...still, state: 'passed' };
  expect(await timesOf([still, still, still, passed])).toEqual([0, 1, 2.5, 4.75]);
  const moved = { state: 'running', jobs: [{ id: 'a', state: 'passed' }] };
  const [, , , changed = 0, next = 0] = await timesOf([still, still, still, moved, passed]);
  expect(next - changed).toBeLessThan(1.5);
});
