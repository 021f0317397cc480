import { expect, test } from 'vitest';
import fc from 'fast-check';
import { htmlOf } from '../elements.tsx';
import { scaleOf, TimeScale } from './chart.tsx';

const textsOf = (ms: number): string[] => {
  const html = htmlOf(<TimeScale scale={scaleOf(0, ms, [{ from: 0, to: ms }])} />);
  return [...html.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => text);
};

test.each([
  [1000, ['0s', '0.2s', '0.4s', '0.6s', '0.8s', '1s']],
  [1300, ['0s', '0.5s', '1s']],
  [2500, ['0s', '0.5s', '1s', '1.5s', '2s', '2.5s']],
  [90_000, ['0s', '30s', '1m', '1m 30s']],
])('labels above %d ms are distinct', (ms, texts) => {
  expect(textsOf(ms)).toEqual(texts);
});

const second = 1000;
const hour = 3_600_000;

test('times are at their share of the axis, with round labels', () => {
  const { at, ticks, gaps } = scaleOf(0, 40 * second, [{ from: 0, to: 40 * second }]);
  expect([0, 10, 40].map((time) => at(time * second))).toEqual([0, 25, 100]);
  expect(ticks.map(({ since }) => since / second)).toEqual([0, 10, 20, 30, 40]);
  expect(gaps).toEqual([]);
});

test('a night of being blocked takes a tenth of the running time', () => {
  const busy = [
    { from: 0, to: 60 * second },
    { from: 16 * hour, to: 16 * hour + 40 * second },
  ];
  const { at, ticks, gaps } = scaleOf(0, 16 * hour + 40 * second, busy);
  expect(gaps).toMatchObject([{ from: 60 * second, to: 16 * hour }]);
  expect(at(60 * second)).toBeCloseTo(54.55, 1);
  expect(at(16 * hour)).toBeCloseTo(63.64, 1);
  expect(ticks.filter(({ isAfterGap }) => isAfterGap).map(({ since }) => since / second)).toEqual([
    30,
  ]);
});

test.each([350, 60])('the axis spans at least a second without gaps: busy for %d ms', (busy) => {
  const { gaps, at } = scaleOf(0, 350, [{ from: 0, to: busy }]);
  expect(gaps).toEqual([]);
  expect([at(350), at(second)]).toEqual([35, 100]);
});

test('a blocked build uses the whole axis', () => {
  expect(scaleOf(0, hour, [])).toMatchObject({ gaps: [] });
});

const span = fc
  .tuple(fc.nat(1e8), fc.nat(1e6))
  .map(([from, length]) => ({ from, to: from + length }));

test('later times are further right, from 0 to 100, with few round labels', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 20 }), fc.array(fc.nat(1e8)), (busy, times) => {
      const from = Math.min(...busy.map((one) => one.from), 1e8);
      const to = Math.max(...busy.map((one) => one.to), from);
      const { at, ticks } = scaleOf(from, to, busy);
      const places = [
        from,
        ...times.filter((time) => time >= from && time <= to).sort((a, b) => a - b),
        Math.max(to, from + second),
      ].map(at);
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect([places[0], places.at(-1)]).toEqual([0, 100]);
      expect(ticks.length).toBeLessThan(8);
      for (const tick of ticks) expect(tick.at).toBeLessThanOrEqual(100);
    }),
  );
});
