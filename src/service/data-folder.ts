import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { attempt } from '../common/attempt.ts';
import { CictlError } from '../errors.ts';
import { startTimer } from '../common/clock.ts';

/**
 * Checks every second that the database and the lock file still exist. Without the lock file,
 * another service could use the directory, and writes to a deleted database are lost. If a check
 * fails for any other reason, the file is assumed to exist. Calls `onCheck` after each check that
 * finds both files. `gone` resolves with the reason once a file is missing or was replaced.
 */
export async function watchDataFolder(dataDir: string, onCheck: () => void) {
  const files = ['service.db', 'service.lock'].map((name) => join(dataDir, name));
  const identify = (): Promise<string[]> => Promise.all(files.map(identityOf));
  const first = (await identify()).join();
  let isStopped = false;
  const gone = new Promise<CictlError>((resolve) => {
    const wait = (): void => {
      if (!isStopped) startTimer(interval, () => void check(), { keepsProcess: false });
    };
    const check = async (): Promise<void> => {
      const found = await identify();
      const isSame = found.join() === first;
      if (isSame && !isStopped) onCheck();
      if (found.includes(unknown) || isSame) wait();
      else resolve(folderGone(dataDir, found.includes(missing)));
    };
    wait();
  });
  return { gone, stop: (): void => void (isStopped = true) };
}

/** Milliseconds between checks. */
const interval = 1000;
const missing = 'missing';
const unknown = 'unknown';

const identityOf = (file: string): Promise<string> =>
  stat(file).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    (error: unknown) =>
      missingCodes.has((error as NodeJS.ErrnoException).code) ? missing : unknown,
  );

/** The last three errors occur when the file system is unmounted. */
const missingCodes = new Set<string | undefined>([
  ...['ENOENT', 'ENOTDIR', 'ESTALE', 'ENOTCONN', 'ENODEV'],
]);

const folderGone = (dataDir: string, isMissing: boolean): CictlError => {
  const how = isMissing ? 'was removed' : 'was replaced';
  const message = `the data directory ${dataDir} ${how}: stopping the local service that used it`;
  return new CictlError('machine', message, { hint: 'cictl local up' });
};

/** Reserved space on disk, which lets the service start and remove builds when the disk is full. */
export interface Reserve {
  /** Releases the reserved space if the disk is full. Returns whether the disk is full. */
  release(): boolean;
  restore(): void;
  /** Releases the reserved space while `action` runs. */
  use<T>(action: (isFull: boolean) => Promise<T>): Promise<T>;
}

/** In bytes. Enough to start the service and to write the changes of a few hundred builds. */
const size = 4 * 1024 * 1024;

const tooFew = 512 * 1024;

export function reserveIn(dataDir: string, freeSpace = freeSpaceOf): Reserve {
  const file = join(dataDir, 'service.reserve');
  let users = 0;
  const release = (): boolean => {
    const isFull = freeSpace(dataDir).forAll < size;
    if (isFull) rmSync(file, { force: true });
    return isFull;
  };
  const restore = (): void => {
    const kept = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (users > 0 || kept === size) return;
    const wanted = Math.min(size, Math.floor((freeSpace(dataDir).own + kept) * 0.75));
    if (wanted < kept + tooFew) return;
    try {
      // Random data, because zeros take no space on a compressed file system.
      writeFileSync(file, randomBytes(wanted), { mode: 0o600 });
    } catch {
      rmSync(file, { force: true });
    }
  };
  return {
    release,
    restore,
    async use(action) {
      users++;
      try {
        return await action(release());
      } finally {
        users--;
        restore();
      }
    },
  };
}

/** Free bytes; Infinity if unknown. For root, `own` includes the blocks reserved for root. */
function freeSpaceOf(folder: string) {
  const found = attempt(() => statfsSync(folder));
  if (found === undefined) return { forAll: Infinity, own: Infinity };
  const { bavail, bfree, bsize } = found;
  const own = attempt(userInfo)?.uid === 0 ? bfree : bavail;
  return { forAll: bavail * bsize, own: own * bsize };
}
