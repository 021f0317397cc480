import { expect, test } from 'vitest';
import { durationOf } from './duration.ts';

const started_at = '2026-01-01T00:00:00.000Z';
const start = Date.parse(started_at);

test.each([
  ['2026-01-01T00:00:03.250Z', 3.25],
  ['2026-01-01T01:00:00Z', 3600],
  ['2026-01-01 00:00:05 UTC', 5],
  ['2026-01-01T01:00:06+01:00', 6],
  ['2026-01-01T00:01Z', 60],
  ['2025-12-31T23:59:59Z', 0],
])('from its start to %s, it took %d s, whatever the time is now', (finished_at, seconds) => {
  expect(durationOf({ started_at, finished_at }, start + 9_999_999)).toBe(seconds);
});

test.each([null, undefined, '', 'soon', '2026-01-01', 5, '2026-13-45T00:00:00Z'])(
  'without an end (%j), the duration lasts until now',
  (finished_at) => {
    expect(durationOf({ started_at, finished_at }, start + 1500)).toBe(1.5);
  },
);

test.each([null, undefined, 'soon', 1767225600000, 'x2026-01-01T00:00:00Z'])(
  'without a start (%j), there is no duration',
  (value) => {
    const finished_at = '2026-01-01T00:00:03Z';
    expect(durationOf({ started_at: value, finished_at }, start)).toBeNull();
  },
);
