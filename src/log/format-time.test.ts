import { afterEach, expect, test, vi, describe } from 'vitest';
import { clockTimes, elapsed, local, spanText } from './format-time.ts';

describe('format time', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('shows the day if it differs', () => {
    const clock = clockTimes();
    const at = (text: string): string => clock(Date.parse(text));
    expect(at('2023-11-14T22:13:20.000Z')).toBe('2023-11-14 22:13:20');
    expect(at('2023-11-14T22:13:20.999Z')).toBe('22:13:20');
    expect(at('2023-11-14T22:13:21.000Z')).toBe('22:13:21');
    expect(at('2023-11-14T22:13:21.500Z')).toBe('22:13:21');
    expect(at('2023-11-15T22:13:21.000Z')).toBe('2023-11-15 22:13:21');
    expect(at('2023-11-14T22:13:20.000Z')).toBe('2023-11-14 22:13:20');
  });

  test.each([
    ['UTC', '2026-11-20T10:00:00.123+00:00'],
    ['Asia/Kolkata', '2026-11-20T15:30:00.123+05:30'],
    ['Pacific/Kiritimati', '2026-11-21T00:00:00.123+14:00'],
    ['America/St_Johns', '2026-11-20T06:30:00.123-03:30'],
  ])('in %s it is %s', (zone, text) => {
    vi.stubEnv('TZ', zone);
    expect(local(Date.parse('2026-11-20T10:00:00.123Z'))).toBe(text);
  });

  test('an instant missing in this time zone is shown in UTC', () => {
    vi.stubEnv('TZ', 'Asia/Kolkata');
    expect(local(8.64e15)).toBe('+275760-09-13T00:00:00.000Z');
  });

  test.each([
    [0, '00:00:00.000'],
    [999, '00:00:00.999'],
    [61_001, '00:01:01.001'],
    [3_599_999, '00:59:59.999'],
    [3_600_000, '01:00:00.000'],
    [360_000_000, '100:00:00.000'],
    [-1, '-00:00:00.001'],
    [-3_661_001, '-01:01:01.001'],
  ])('%i milliseconds are %s', (milliseconds, text) => {
    expect(elapsed(milliseconds)).toBe(text);
  });
});

test.each([
  [-5000, '0.0s'],
  [0, '0.0s'],
  [340, '0.3s'],
  [1000, '1s'],
  [59_999, '59s'],
  [60_000, '1m 0s'],
  [123_456, '2m 3s'],
  [3_600_000, '1h 0m'],
  [100_000_000, '27h 46m'],
])('%d ms as %s', (milliseconds, expected) => {
  expect(spanText(milliseconds)).toBe(expected);
});
