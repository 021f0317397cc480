import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { manualTimers } from '../../../test/support/job.ts';
import { untilSilent } from './until-silent.ts';

/** What copies output, as far as it is looked at, and whether it is still awaited. */
function waitFor({ isWriting = false } = {}) {
  const timers = manualTimers();
  let reached = (): void => undefined;
  const copy = {
    ...{ pieces: 0, isWriting },
    sync: () => new Promise<void>((resolve) => (reached = resolve)),
  };
  let isOver = false;
  void untilSilent(timers, copy).then(() => (isOver = true));
  const seconds = async (count: number): Promise<boolean> => {
    for (let second = 0; second < count; second++) {
      timers.move(1000);
      for (let turn = 0; turn < 4; turn++) await setImmediate();
    }
    return isOver;
  };
  return { copy, seconds, reached: () => reached() };
}

test('what goes on to come is awaited for as long as it takes', async () => {
  const { copy, seconds, reached } = waitFor();
  for (let round = 0; round < 20; round++) {
    copy.pieces++;
    expect(await seconds(4)).toBe(false);
  }
  reached();
  expect((await seconds(0)) || (await seconds(1))).toBe(true);
});

test('so is what a slow disk has not taken yet', async () => {
  const { copy, seconds } = waitFor({ isWriting: true });
  expect(await seconds(100)).toBe(false);
  copy.isWriting = false;
  expect(await seconds(10)).toBe(true);
});

test('silence ends it', async () => {
  const { seconds } = waitFor();
  expect(await seconds(4)).toBe(false);
  expect(await seconds(6)).toBe(true);
});
