/** A lock of the profiles file against other processes. */
import { statSync } from 'node:fs';
import lockfile from 'proper-lockfile';
import type { Clock } from '../clock.ts';

/** Milliseconds in which nothing may happen to the file before a process that waits gives up. */
const longestStandstill = 30_000;

/** Milliseconds; the lock of a process that died ends after them. */
const stale = 5000;

/**
 * Waits for the lock of a file, and resolves to its release. All who wait ask equally often, at
 * random times: however many they are, each comes to its turn as long as the others get on. Throws
 * `ELOCKED` when the file has not changed for half a minute, and what the file system says.
 */
export async function lockStore(
  file: string,
  clock: Clock,
  random: () => number = Math.random,
): Promise<() => Promise<void>> {
  let seen = versionOf(file);
  let end = clock.now() + longestStandstill;
  for (;;) {
    const release = await tryLock(file);
    if (!(release instanceof Error)) return release;
    const version = versionOf(file);
    if (version !== seen) end = clock.now() + longestStandstill;
    if (clock.now() >= end) throw release;
    seen = version;
    await clock.sleep(20 + 80 * random());
  }
}

/** The release, or the error where another process has the lock. */
async function tryLock(file: string): Promise<(() => Promise<void>) | Error> {
  try {
    // A process stopped for so long that another took the lock can do nothing about it.
    const onCompromised = (): void => undefined;
    const release = await lockfile.lock(file, { realpath: false, stale, onCompromised });
    return () => release().catch(ignoreReleased);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ELOCKED') return error;
    throw error;
  }
}

function ignoreReleased(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ERELEASED') throw error;
}

/** Each writer puts another file in its place. */
function versionOf(file: string): string {
  const { ino, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${ino} ${mtimeMs}`;
}
