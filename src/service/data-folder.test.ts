import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFolder } from '../../test/support/job.ts';
import { reserveIn } from './data-folder.ts';

function scene() {
  const folder = useFolder();
  const file = join(folder, 'service.reserve');
  return { folder, size: () => statSync(file, { throwIfNoEntry: false })?.size ?? 0 };
}

test('releases its space on a full disk while in use, then reserves it again', async () => {
  const { folder, size } = scene();
  let free = 1e9;
  const reserve = reserveIn(folder, () => ({ forAll: free, own: free }));
  reserve.restore();
  const kept = size();
  expect(kept).toBeGreaterThan(2e6);
  expect([reserve.release(), size()]).toEqual([false, kept]);
  free = 100_000;
  await reserve.use((isFull) => {
    expect([isFull, size()]).toEqual([true, 0]);
    free = 1e9;
    reserve.restore();
    expect(size()).toBe(0);
    free = 2e6;
    return Promise.resolve();
  });
  expect(size()).toBe(1.5e6);
  free = 1e9;
  reserve.restore();
  expect(size()).toBe(kept);
});

test('takes blocks that only root can write, but does not count on them', () => {
  const { folder, size } = scene();
  const reserve = reserveIn(folder, () => ({ forAll: 0, own: 2e6 }));
  reserve.restore();
  expect(size()).toBe(1.5e6);
  expect([reserve.release(), size()]).toEqual([true, 0]);
});
