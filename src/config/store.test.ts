import { mkdir, mkdtemp, rm, rmdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockStore } from './store.ts';

/** A file that is locked by another process. */
async function lockedFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cictl-lock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'profiles.json');
  await writeFile(file, '{}');
  await mkdir(`${file}.lock`);
  // A lock becomes stale by the system clock, however long the test takes.
  const nextHour = new Date(Date.now() + 3_600_000);
  await utimes(`${file}.lock`, nextHour, nextHour);
  return file;
}

test('gives up on a lock that is never released', async () => {
  await expect(lockStore(await lockedFile(), 3)).rejects.toMatchObject({ code: 'ELOCKED' });
});

test('a process waits for the lock of another', async () => {
  const file = await lockedFile();
  const waiting = lockStore(file);
  await rmdir(`${file}.lock`);
  const release = await waiting;
  await expect(lockStore(file, 1)).rejects.toMatchObject({ code: 'ELOCKED' });
  await release();
});
