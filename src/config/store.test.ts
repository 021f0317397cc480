import { mkdir, mkdtemp, rename, rm, rmdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { virtualClock } from '../../test/support/virtual-clock.ts';
import { lockStore } from './store.ts';

/** A file whose lock another process has, and a clock that does something at each wait. */
async function lockedFile(meanwhile: (at: number, file: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-lock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'profiles.json');
  await writeFile(file, '{}');
  await mkdir(`${file}.lock`);
  // The lock grows stale by the clock of the machine, however long the test takes.
  const nextHour = new Date(Date.now() + 3_600_000);
  await utimes(`${file}.lock`, nextHour, nextHour);
  const virtual = virtualClock();
  const sleep = async (ms: number): Promise<void> => {
    await meanwhile(virtual.now(), file);
    await virtual.sleep(ms);
  };
  return { file, clock: { now: () => virtual.now(), sleep } };
}

test('a file that does not change for half a minute is given up', async () => {
  const { file, clock } = await lockedFile(() => Promise.resolve());
  await expect(lockStore(file, clock)).rejects.toMatchObject({ code: 'ELOCKED' });
  expect(clock.now()).toBeGreaterThanOrEqual(30_000);
  expect(clock.now()).toBeLessThan(30_200);
});

test('a process waits as long as others get the lock', async () => {
  let writers = 0;
  const { file, clock } = await lockedFile(async (at, file) => {
    if (at < 20_000 * (writers + 1)) return;
    writers += 1;
    if (writers === 15) return rmdir(`${file}.lock`);
    await writeFile(`${file}.new`, String(writers));
    await rename(`${file}.new`, file);
  });
  const release = await lockStore(file, clock);
  await release();
  expect(clock.now()).toBeGreaterThan(290_000);
});

test('each waits for its own time, and none longer the longer it waits', async () => {
  const waits: number[] = [];
  const { file, clock } = await lockedFile(() => Promise.resolve());
  const sleep = (ms: number): Promise<void> => {
    waits.push(ms);
    return clock.sleep(ms);
  };
  let turn = 0;
  const random = (): number => (turn++ % 10) / 10;
  await expect(lockStore(file, { ...clock, sleep }, random)).rejects.toThrow();
  expect(waits.slice(0, 10)).toEqual(waits.slice(10, 20));
  expect([Math.min(...waits), Math.max(...waits)]).toEqual([20, 92]);
});
