import { expect, test } from 'vitest';
import { age, compactDuration, duration, instant, relativeTime, rfc3339 } from './time.ts';

test.each([
  ['2015-05-09T21:05:59.874Z', '2015-05-09T21:05:59.874Z'],
  ['2013-09-03 13:24:38 UTC', '2013-09-03T13:24:38Z'],
  ['soon', 'soon'],
  ['', ''],
])('%j as RFC 3339 is %j', (text, normal) => {
  expect(rfc3339(text)).toBe(normal);
});

test.each([
  ['2015-05-09T21:05:59.874Z', 1431205559874],
  ['2013-09-03 13:24:38 UTC', 1378214678000],
  ['2015-05-09T23:05:59+02:00', 1431205559000],
  ['2015-05-09', 1431129600000],
  ['2015-99-09T00:00:00Z', undefined],
  ['5', undefined],
  ['build 7', undefined],
])('%j is the instant %j', (text, time) => {
  expect(instant(text)).toBe(time);
});

const now = Date.parse('2026-11-20T12:00:00Z');

test.each([
  ['2026-11-20T12:00:00Z', 'just now'],
  ['2026-11-20T11:59:18.5Z', '41s ago'],
  ['2026-11-20T11:58:59Z', '1m ago'],
  ['2026-11-20T09:00:01Z', '2h ago'],
  ['2026-11-17T12:00:00Z', '3d ago'],
  ['2026-11-20T14:00:00Z', 'in 2h'],
  ['2013-09-03 13:24:38 UTC', '2013-09-03'],
  ['never', 'never'],
])('%j is shown as %j', (text, expected) => {
  expect(relativeTime(text, now)).toBe(expected);
});

test.each([
  [0, '0s'],
  [49, '0s'],
  [50, '0.1s'],
  [949, '0.9s'],
  [999, '1s'],
  [340, '0.3s'],
  [42_900, '42s'],
  [60_000, '1m'],
  [123_000, '2m 3s'],
  [3_900_000, '1h 5m'],
  [90_061_000, '1d 1h'],
  [-5, '0s'],
])('a duration of %d ms is %j', (ms, expected) => {
  expect(duration(ms)).toBe(expected);
});

test.each([
  ['2026-11-20T12:00:05Z', '0s'],
  ['2026-11-20T11:39:00Z', '21m'],
  ['2026-11-17T12:00:00Z', '3d'],
  ['2026-09-20T12:00:00Z', '2mo'],
  ['2013-09-03 13:24:38 UTC', '13y'],
  ['never', 'never'],
])('%j was %j ago', (text, expected) => {
  expect(age(text, now)).toBe(expected);
});

test.each([
  [0, '0s'],
  [340, '0.3s'],
  [327_000, '5m27s'],
  [3_600_000, '1h'],
])('%d ms takes %j in a column', (ms, expected) => {
  expect(compactDuration(ms)).toBe(expected);
});
