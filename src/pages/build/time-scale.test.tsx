import { expect, test } from 'vitest';
import { htmlOf } from '../html-of.ts';
import { scaleOf } from './scale.ts';
import { TimeScale } from './time-scale.tsx';

const textsOf = (ms: number): string[] => {
  const html = htmlOf(<TimeScale scale={scaleOf(0, ms, [{ from: 0, to: ms }])} />);
  return [...html.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => text);
};

test.each([
  [1000, ['0s', '0.2s', '0.4s', '0.6s', '0.8s', '1s']],
  [1300, ['0s', '0.5s', '1s']],
  [2500, ['0s', '0.5s', '1s', '1.5s', '2s', '2.5s']],
  [90_000, ['0s', '30s', '1m', '1m 30s']],
])('the times above %d ms are told apart', (ms, texts) => {
  expect(textsOf(ms)).toEqual(texts);
});
