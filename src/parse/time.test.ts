import { expect, test } from 'vitest';
import { parseTime } from './time.ts';

const now = new Date('2026-11-20T12:00:00.000Z');

test.each([
  ['2026-11-20T13:30:00Z', '2026-11-20T13:30:00.000Z'],
  ['2026-11-20T13:30:00+02:00', '2026-11-20T11:30:00.000Z'],
  ['2026-11-20T13:30:00-0330', '2026-11-20T17:00:00.000Z'],
  ['2026-11-20T13:30+02', '2026-11-20T11:30:00.000Z'],
  ['2026-11-20 13:30:00 UTC', '2026-11-20T13:30:00.000Z'],
  ['2026-11-20T13:30:00.5Z', '2026-11-20T13:30:00.500Z'],
  ['2026-11-20T13:30:00.123456789Z', '2026-11-20T13:30:00.123Z'],
  ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
  ['2026-11-20T23:59:59+23:59', '2026-11-20T00:00:59.000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['7d', '2026-11-13T12:00:00.000Z'],
  ['2h30m', '2026-11-20T09:30:00.000Z'],
  ['90s', '2026-11-20T11:58:30.000Z'],
  ['1w', '2026-11-13T12:00:00.000Z'],
  ['1w2d', '2026-11-11T12:00:00.000Z'],
  ['250ms', '2026-11-20T11:59:59.750Z'],
  ['3 days ago', '2026-11-17T12:00:00.000Z'],
  ['3d ago', '2026-11-17T12:00:00.000Z'],
  ['2 hours', '2026-11-20T10:00:00.000Z'],
  ['1 hour and 30 minutes ago', '2026-11-20T10:30:00.000Z'],
  ['1 day, 2 hours', '2026-11-19T10:00:00.000Z'],
  ['an hour ago', '2026-11-20T11:00:00.000Z'],
  ['A Week Ago', '2026-11-13T12:00:00.000Z'],
  ['1.5h', '2026-11-20T10:30:00.000Z'],
  ['90 secs', '2026-11-20T11:58:30.000Z'],
  ['last week', '2026-11-13T12:00:00.000Z'],
  ['last  hour', '2026-11-20T11:00:00.000Z'],
  ['NOW', '2026-11-20T12:00:00.000Z'],
  ['now', '2026-11-20T12:00:00.000Z'],
])('%j is %s', (text, utc) => expect(parseTime(text, now)).toBe(utc));

test.each([
  ['2026-11-20', new Date(2026, 10, 20)],
  ['2026-07-01T08:15', new Date(2026, 6, 1, 8, 15)],
  ['2026-07-01 08:15:30', new Date(2026, 6, 1, 8, 15, 30)],
  ['yesterday', new Date(2026, 10, now.getDate() - 1)],
  ['today', new Date(2026, 10, now.getDate())],
  ['Yesterday', new Date(2026, 10, now.getDate() - 1)],
  ['monday', lastDay(1)],
  ['Fri', lastDay(5)],
  ['last monday', lastDay(1)],
  ['last month', new Date(2026, 9, now.getDate(), now.getHours(), now.getMinutes())],
  ['2 years ago', new Date(2024, 10, now.getDate(), now.getHours(), now.getMinutes())],
])('%j without a zone is local', (text, local) =>
  expect(parseTime(text, now)).toBe(local.toISOString()),
);

/** The most recent midnight on that weekday. */
function lastDay(weekday: number): Date {
  const date = new Date(2026, 10, now.getDate());
  while (date.getDay() !== weekday) date.setDate(date.getDate() - 1);
  return date;
}

test.each(['1y', '12mo', '1 yr', '12 mos ago'])('%s is the same day a year ago', (text) => {
  expect(parseTime(text, new Date(2026, 2, 31, 10))).toBe(new Date(2025, 2, 31, 10).toISOString());
});

test('the last occurrence of this weekday is not today', () => {
  const today = new Date(now).toLocaleDateString('en', { weekday: 'long' });
  const before = new Date(2026, 10, now.getDate() - 7).toISOString();
  expect(parseTime(`last ${today}`, now)).toBe(before);
});

test('a month has a last day', () => {
  const then = parseTime('1 month ago', new Date(2026, 2, 31, 10));
  expect(then).toBe(new Date(2026, 1, 28, 10).toISOString());
});

test.each([
  '3 days before',
  'days ago',
  'ago',
  '3 ago',
  '5 fortnights',
  'last',
  'last blue moon',
  'mo',
  '1.5 months',
  '1 constructor',
  '',
  'soon',
  '5',
  '2026',
  '2026-13-01',
  '2026-02-30',
  '2025-02-29',
  '2026-11-20T24:00:00Z',
  '2026-11-20T10:60Z',
  '2026-11-20T10:00+01:60',
  '2026-11-20T10:00+24:00',
  '2026-11-20T10:00:00+99:00',
  '20-11-2026',
  '2026-11-20Z',
  '-7d',
  '999999999999d',
  '99999999d',
  '9999-12-31T23:59:59-01:00',
  'constructor',
])('%j is not a time', (text) => expect(() => parseTime(text, now)).toThrow('invalid time'));
