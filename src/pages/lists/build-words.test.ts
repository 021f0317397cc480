import { expect, test } from 'vitest';
import { barText, isUnderWay, outcomesText, titleOf } from './build-words.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const started = { number: 7, started_at: '2026-11-20T11:58:00Z' };
const over = { ...started, finished_at: '2026-11-20T11:58:05Z' };

test.each([
  [{ number: 7, message: '\n  Fix it\n\nAt last' }, 'Fix it'],
  [{ number: 7, message: '  \n ' }, 'Build 7'],
  [{ number: 7, message: null }, 'Build 7'],
  [{ number: 7, message: 'x'.repeat(500) }, 'x'.repeat(500)],
  [{ number: 7, message: `x${'🚀'.repeat(300_000)}` }, `x${'🚀'.repeat(249)}…`],
])('the title of %j is %j', (build, title) => {
  expect(titleOf(build)).toBe(title);
});

test.each([
  [{ ...over, state: 'timed_out' }, '#7 timed out in 5s'],
  [{ ...over, state: 'passed', blocked: true }, '#7 blocked in 5s'],
  [{ ...started, state: 'running' }, '#7 running for 2m'],
  [{ number: 7, state: 'scheduled', started_at: null }, '#7 scheduled'],
])('the bar of %j says %j', (build, text) => {
  expect(barText(build, now)).toBe(text);
});

test('counts outcomes, most frequent first', () => {
  const states = ['failed', 'passed', 'passed', 'not_run'].map((state) => ({ state }));
  expect(outcomesText(states)).toBe('Last 4 builds: 2 passed, 1 failed, 1 not run');
  expect(outcomesText([{ state: 'passed', blocked: true }])).toBe('One build: blocked');
});

test('an unfinished build keeps growing', () => {
  expect([{}, started, over].map((build) => isUnderWay(build))).toEqual([false, true, false]);
});
