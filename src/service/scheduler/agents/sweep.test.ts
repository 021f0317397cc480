import { expect, test } from 'vitest';
import { timeAway } from './sweep.ts';

test.each([
  [1000, 15_000, 0],
  [14_000, 15_000, 0],
  [16_000, 15_000, 0],
  [16_001, 15_000, 16_001],
  [3_600_000, 15_000, 3_600_000],
  // Timers are always slightly late.
  [1012, 1000, 0],
  [1900, 1000, 0],
  [2001, 1000, 2001],
])('%i ms after the last check, with a heartbeat of %i ms', (passed, heartbeat, away) => {
  expect(timeAway(passed, { pace: 1000, heartbeat })).toBe(away);
});
