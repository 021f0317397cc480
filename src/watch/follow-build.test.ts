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
