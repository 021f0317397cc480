import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aborted } from './abort.ts';
import { startTimer, systemClock, withTimeLimit } from './clock.ts';

const day = 24 * 60 * 60 * 1000;

// Like Node's own, these timers fire immediately for more than 2^31 - 1 ms.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([0, 1, day, 24 * day])('fires once, not before %d ms', (ms) => {
  const callback = vi.fn();
  startTimer(ms, callback);
  vi.advanceTimersByTime(Math.max(0, ms - 1));
  expect(callback).toHaveBeenCalledTimes(ms === 0 ? 1 : 0);
  vi.advanceTimersByTime(1);
  expect(callback).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(ms);
  expect(callback).toHaveBeenCalledTimes(1);
});

test.each([1000, 24 * day])('%d ms restart on request', (ms) => {
  const callback = vi.fn();
  const timer = startTimer(ms, callback);
  vi.advanceTimersByTime(ms - 1);
  timer.restart();
  vi.advanceTimersByTime(ms - 1);
  expect(callback).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(callback).toHaveBeenCalledTimes(1);
});

test.each([1000, 400 * day])('%d ms never fire after stop, even when restarted', (ms) => {
  const callback = vi.fn();
  const timer = startTimer(ms, callback);
  vi.advanceTimersByTime(ms - 1);
  timer.stop();
  timer.restart();
  vi.advanceTimersByTime(2 * ms);
  expect(callback).not.toHaveBeenCalled();
});

test.each([25 * day, Infinity])('%d ms never fire', (ms) => {
  const callback = vi.fn();
  startTimer(ms, callback);
  vi.advanceTimersByTime(1000 * day);
  expect(callback).not.toHaveBeenCalled();
});

test.each([1, 24])('the system clock sleeps for %d days', async (days) => {
  let isOver = false;
  const sleep = systemClock.sleep(days * day).then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(days * day - 1);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await sleep;
});

test('a sleep rejects with the reason of its signal', async () => {
  const reason = new Error('enough');
  const ending = new AbortController();
  const sleep = systemClock.sleep(400 * day, ending.signal);
  ending.abort(reason);
  await expect(sleep).rejects.toBe(reason);
  await expect(systemClock.sleep(1, ending.signal)).rejects.toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});

test('a time limit stops waiting when its work is done', async () => {
  const clock = {
    now: () => 0,
    sleep: (_: number, signal?: AbortSignal) => aborted(signal ?? new AbortController().signal),
  };
  const limit = { ms: 1000, clock, reason: new Error('too late') };
  expect(await withTimeLimit(() => Promise.resolve('done'), limit)).toBe('done');
});
