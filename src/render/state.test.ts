import { expect, test } from 'vitest';
import { stateColor, stateLabel, stateWord } from './state.ts';

test.each([
  ['passed', {}, '✓ passed', 'green'],
  ['passed', { blocked: true }, '■ blocked', 'magenta'],
  ['passed', { blocked: false }, '✓ passed', 'green'],
  ['failed', {}, '✗ failed', 'red'],
  ['failed', { soft_failed: true }, '! failed (soft)', 'bold'],
  ['failed', { soft_failed: null }, '✗ failed', 'red'],
  ['passed', { soft_failed: true }, '✓ passed', 'green'],
  ['not_run', {}, '– not run', 'dim'],
  ['timed_out', {}, '✗ timed out', 'red'],
  ['scheduled', {}, '○ scheduled', 'normal'],
  ['running', {}, '● running', 'cyan'],
  ['waiting_failed', {}, '– waiting failed', 'dim'],
  ['finished', {}, '✓ finished', 'green'],
  ['error', {}, '✗ error', 'red'],
  ['hibernating', {}, '? hibernating', 'bold'],
  ['\x1b[2Jodd\n', {}, '? odd ', 'bold'],
] as const)('shows %j with %j as %j in %s', (state, marks, label, color) => {
  expect(stateLabel(state, marks)).toBe(label);
  expect(stateColor(state, marks)).toBe(color);
});

test('shows blocked in data too, and other states unchanged', () => {
  expect(stateWord('passed', { blocked: true })).toBe('blocked');
  expect(stateWord('failed', { soft_failed: true })).toBe('failed');
});

test('distinguishes every specified state from an unknown one', () => {
  const states =
    'running scheduled passed failing failed blocked canceled canceling skipped not_run';
  for (const state of states.split(' ')) expect(stateLabel(state)).not.toContain('?');
});
