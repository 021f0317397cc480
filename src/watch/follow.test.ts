import { expect, test } from 'vitest';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import type { Build } from '../api/resources/build.ts';
import { follow, type FollowOptions } from './follow.ts';

/** The events that a row of looks tells, up to the settled build. */
async function told(looks: readonly Build[], rest: Partial<FollowOptions> = {}) {
  const left = [...looks];
  const events: string[] = [];
  const settled = await follow(() => Promise.resolve(left.shift() ?? {}), {
    clock: virtualClock(),
    signal: new AbortController().signal,
    subject: 'build 1',
    maxOutage: 0,
    tell: (event) => {
      events.push(event.event === 'build' ? `build ${event.build.state ?? ''}` : event.event);
      return Promise.resolve();
    },
    ...rest,
  });
  return { settled, events, left };
}

test('follows a build to its end and not beyond', async () => {
  const passed = { state: 'passed' };
  const looks = [{ state: 'scheduled' }, { state: 'running' }, { state: 'running' }, passed, {}];
  const { settled, events, left } = await told(looks);
  expect(settled).toBe(passed);
  expect(events).toEqual(['build scheduled', 'build running', 'build passed']);
  expect(left).toHaveLength(1);
});

test('goes on where another follower stopped', async () => {
  const { events } = await told([{ state: 'running' }, { state: 'canceled' }], {
    before: { state: 'running' },
  });
  expect(events).toEqual(['build canceled']);
});

test('a build that has settled already is told once', async () => {
  const { events } = await told([{ state: 'running', blocked: true }]);
  expect(events).toEqual(['build running']);
});
