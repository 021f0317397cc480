/**
 * Times and durations: valid ones have their documented meaning, all others fail with exit code 2.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { durationOf, parseDuration } from '../../src/parse/flag-values.ts';
import { parseTime } from '../../src/parse/time.ts';
import { bound, anyText, fuzzed, valueOrError } from '../support/fuzz.ts';

const now = new Date('2026-11-20T10:00:00Z');
const signs = [
  ...['2026-11-20', 'T', 'Z', '+01:00', '13:30', ':00', '7', 'd', 'h', 'm', 's', 'ms', '.5'],
  ...['yesterday', 'today', 'now', '99999999', 'UTC', '-', '0000', '9999-12-31', '1000-01-01'],
];

test('any text is a time with a four-digit year, or exits with 2', () => {
  let accepted = 0;
  fc.assert(
    fc.property(anyText(signs, 8), (text) => {
      const found = valueOrError(() => parseTime(text, now), 'usage');
      if ('error' in found) return;
      accepted++;
      expect(found.value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }),
    fuzzed(1500),
  );
  expect(accepted).toBeGreaterThan(bound(20));
});

const date = fc.date({
  min: new Date('1000-01-02T00:00:00Z'),
  max: new Date('9999-12-30T23:59:59Z'),
  noInvalidDate: true,
});
const minutes = fc.integer({ min: -14 * 60, max: 14 * 60 });

test('a time in any zone is the same instant', () => {
  fc.assert(
    fc.property(date, minutes, (date, east) => {
      const local = new Date(date.getTime() + east * 60_000).toISOString().slice(0, -1);
      const [hours, rest] = [Math.floor(Math.abs(east) / 60), Math.abs(east) % 60];
      const two = (value: number): string => String(value).padStart(2, '0');
      const sign = east < 0 ? '-' : '+';
      for (const zone of [`${sign}${two(hours)}:${two(rest)}`, `${sign}${two(hours)}${two(rest)}`])
        expect(parseTime(`${local}${zone}`, now)).toBe(date.toISOString());
      expect(parseTime(date.toISOString(), now)).toBe(date.toISOString());
    }),
    fuzzed(1500),
  );
});

test('any text is a duration in whole milliseconds, or exits with 2', () => {
  fc.assert(
    fc.property(anyText(signs, 6), (text) => {
      const found = valueOrError(() => parseDuration(text, '--timeout'), 'usage');
      if ('error' in found) return;
      expect(Number.isSafeInteger(found.value) && found.value >= 0).toBe(true);
    }),
    fuzzed(1500),
  );
});

test('a duration is the sum of its parts, and so is a relative time', () => {
  const parts = fc.record({
    d: fc.nat(999),
    h: fc.nat(99),
    m: fc.nat(99),
    s: fc.nat(99),
    ms: fc.nat(999),
  });
  fc.assert(
    fc.property(parts, ({ d, h, m, s, ms }) => {
      const sum = (((d * 24 + h) * 60 + m) * 60 + s) * 1000 + ms;
      const text = `${d}d${h}h${m}m${s}s${ms}ms`;
      expect(durationOf(text)).toBe(sum);
      expect(parseTime(text, now)).toBe(new Date(now.getTime() - sum).toISOString());
      expect(durationOf(String(s))).toBe(s * 1000);
    }),
    fuzzed(1000),
  );
});
