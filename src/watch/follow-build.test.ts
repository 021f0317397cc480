import { expect, test } from 'vitest';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import type { Build } from '../api/resources/build.ts';
import { followBuild, type FollowOptions } from './follow-build.ts';

/** The events that a list of states yields, up to the settled build. */
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

test('goes on where another follower stopped', async () => {
  const { events } = await followed([{ state: 'running' }, { state: 'canceled' }], {
    before: { state: 'running' },
  });
  expect(events).toEqual(['build canceled']);
});

test('a build that has settled already is reported once', async () => {
  const { events } = await followed([{ state: 'running', blocked: true }]);
  expect(events).toEqual(['build running']);
});

test('may be followed to another state than the last', async () => {
  const running = { state: 'running' };
  const { settled, left } = await followed([{ state: 'scheduled' }, running, { state: 'passed' }], {
    isDone: (build) => build.state === 'running',
  });
  expect(settled).toBe(running);
  expect(left).toHaveLength(1);
});

test('asks again when the events before have been taken in', async () => {
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

/** When each state is asked for, in seconds. */
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

test('asks more and more rarely while nothing changes, and often again when a job does', async () => {
  const still = { state: 'running', jobs: [{ id: 'a', state: 'running' }] };
  const passed = { ...still, state: 'passed' };
  expect(await timesOf([still, still, still, passed])).toEqual([0, 1, 2.5, 4.75]);
  const moved = { state: 'running', jobs: [{ id: 'a', state: 'passed' }] };
  const [, , , changed = 0, next = 0] = await timesOf([still, still, still, moved, passed]);
  expect(next - changed).toBeLessThan(1.5);
});
