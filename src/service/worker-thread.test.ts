import { expect, test } from 'vitest';
import { startThreadLimit } from './worker-thread.ts';

/** A machine that gives this process this share of a processor; `waits` are the started timers. */
function machine(share: number) {
  let used = 500;
  let fire: (() => void) | undefined;
  const waits: number[] = [];
  const measures = {
    used: () => used,
    startTimer(ms: number, onOver: () => void) {
      waits.push(ms);
      fire = () => {
        used += ms * share;
        onOver();
      };
      return { stop: () => void (fire = undefined) };
    },
  };
  const pass = (): boolean => {
    const now = fire;
    fire = undefined;
    now?.();
    return now !== undefined;
  };
  return { measures, waits, pass };
}

test.each([
  [1, [10_000]],
  [2, [10_000]],
  [0.5, [10_000, 5000, 2500, 1250, 1000, 1000]],
])('a thread with %d of a processor sets the timers %j', (share, expected) => {
  const { measures, waits, pass } = machine(share);
  let over = 0;
  startThreadLimit(() => over++, measures);
  while (pass());
  expect([waits, over]).toEqual([expected, 1]);
});

test('stops even a thread that gets no CPU time', () => {
  const { measures, waits, pass } = machine(0);
  let over = 0;
  startThreadLimit(() => over++, measures);
  while (pass());
  expect([waits.length, over]).toEqual([61, 1]);
});

test('a stopped thread reports nothing as timed out', () => {
  const { measures, waits, pass } = machine(0.5);
  let over = 0;
  const limit = startThreadLimit(() => over++, measures);
  pass();
  limit.stop();
  expect([pass(), waits.length, over]).toEqual([false, 2, 0]);
});
