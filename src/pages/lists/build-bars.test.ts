import { expect, test } from 'vitest';
import fc from 'fast-check';
import type { Build } from '../../api/resources/build.ts';
import { barCount, barStep, barsOf, tallest } from './build-bars.tsx';

const now = Date.parse('2026-11-20T12:00:00Z');

const buildOf = (number: number, seconds: number | null): Build => ({
  number,
  started_at: seconds === null ? null : new Date(now - seconds * 1000).toISOString(),
  finished_at: null,
});

test('the oldest build is left, the newest right, the longest tallest', () => {
  const bars = barsOf([buildOf(3, 20), buildOf(2, 40), buildOf(1, 10)], now);
  expect(bars.map(({ build, height, seconds }) => [build.number, seconds, height])).toEqual([
    [1, 10, 8],
    [2, 40, 32],
    [3, 20, 16],
  ]);
  expect(bars.map(({ x }) => x)).toEqual([153, 162, 171]);
});

const over = (number: number, seconds: number): Build => ({
  ...buildOf(number, seconds),
  finished_at: new Date(now).toISOString(),
});

test('a very long build leaves the others visible', () => {
  const running = barsOf([buildOf(3, 9000), over(2, 40), over(1, 10)], now);
  expect(running.map(({ height }) => height)).toEqual([8, 32, 32]);
  const hung = barsOf([over(4, 9000), over(3, 10), over(2, 20), over(1, 20)], now);
  expect(hung.map(({ height }) => height)).toEqual([6, 6, 3, 32]);
});

test('the longer build is taller, however short the others are', () => {
  const neverBegun = { ...buildOf(6, null), finished_at: new Date(now).toISOString() };
  const bars = barsOf(
    [over(5, 95), over(4, 9), over(3, 1), over(2, 0.02), over(1, 0.02), neverBegun, neverBegun],
    now,
  );
  expect(bars.map(({ height }) => height)).toEqual([3, 3, 3, 3, 6, 26, 32]);
});

test('a build that has not started has a clickable bar', () => {
  expect(barsOf([buildOf(1, null)], now)).toMatchObject([{ height: 3, seconds: null }]);
});

test('every bar is inside the image and visible', () => {
  const durations = fc.array(fc.option(fc.double({ min: 0, max: 1e7, noNaN: true })), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(durations, (all) => {
      const bars = barsOf(
        all.map((seconds, index) => buildOf(index, seconds)),
        now,
      );
      expect(bars.length).toBe(Math.min(all.length, barCount));
      for (const { x, height } of bars) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + barStep).toBeLessThanOrEqual(barCount * barStep);
        expect(height).toBeGreaterThanOrEqual(3);
        expect(height).toBeLessThanOrEqual(tallest);
      }
    }),
  );
});
