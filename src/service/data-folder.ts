/** The data folder of a service that runs may be deleted, replaced or unmounted under it. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { CictlError } from '../errors.ts';
import { startTimer } from '../common/clock.ts';

export interface FolderWatch {
  /** Settles with the reason when the folder is no longer that of the service. */
  readonly gone: Promise<CictlError>;
  stop(): void;
}

/**
 * Looks once a second whether the database and the lock are still in their place: without the lock
 * another service could take the folder, and what is written to a deleted database is lost. What
 * cannot be looked at for another reason counts as there. Calls `onLook` while all is in place.
 */
export async function watchDataFolder(
  dataDir: string,
  onLook: () => void = () => undefined,
): Promise<FolderWatch> {
  const files = ['service.db', 'service.lock'].map((name) => join(dataDir, name));
  const look = (): Promise<string[]> => Promise.all(files.map(identityOf));
  const first = (await look()).join();
  let isOver = false;
  const gone = new Promise<CictlError>((resolve) => {
    const wait = (): void => {
      if (!isOver) startTimer(interval, () => void lookAgain(), { keepsProcess: false });
    };
    const lookAgain = async (): Promise<void> => {
      const found = await look();
      const isThere = found.join() === first;
      if (isThere && !isOver) onLook();
      if (found.includes(unknown) || isThere) wait();
      else resolve(folderGone(dataDir, found.includes(missing)));
    };
    wait();
  });
  return { gone, stop: () => void (isOver = true) };
}

/** Milliseconds. */
const interval = 1000;
const missing = 'missing';
const unknown = 'unknown';

const identityOf = (file: string): Promise<string> =>
  stat(file).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    (error: unknown) => (isGone.has((error as NodeJS.ErrnoException).code) ? missing : unknown),
  );

/** The last ones are those of a file system that went away. */
const isGone = new Set<string | undefined>(['ENOENT', 'ENOTDIR', 'ESTALE', 'ENOTCONN', 'ENODEV']);

const folderGone = (dataDir: string, isMissing: boolean): CictlError => {
  const how = isMissing ? 'is gone' : 'was replaced';
  const message = `the data folder ${dataDir} ${how}: the local service that used it ends`;
  return new CictlError('machine', message, { hint: 'cictl local up' });
};

// Disk space that is kept for what must work on a full disk: starting the service, and freeing space.

export interface Reserve {
  /** Gives the space back if the disk is full; returns whether it is. */
  release(): boolean;
  /** Takes the space again, or a part of what there is, unless it is in use. */
  restore(): void;
  /** Releases the space for as long as `action` takes. */
  use<T>(action: (isFull: boolean) => Promise<T>): Promise<T>;
}

/** Bytes: enough for the start of a service, and for the changes of some hundred builds. */
const size = 4 * 1024 * 1024;

/** Bytes that are too few to be of use. */
const tooFew = 512 * 1024;

/** The reserve of a data directory, as a file in it. */
export function reserveIn(dataDir: string, freeSpace = freeSpaceOf): Reserve {
  const file = join(dataDir, 'service.reserve');
  let users = 0;
  const release = (): boolean => {
    const isFull = freeSpace(dataDir) < size;
    if (isFull) rmSync(file, { force: true });
    return isFull;
  };
  const restore = (): void => {
    const kept = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (users > 0 || kept === size) return;
    const wanted = Math.min(size, Math.floor((freeSpace(dataDir) + kept) * 0.75));
    if (wanted < kept + tooFew) return;
    try {
      // A file system that compresses would keep no space for zeros.
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

/** Bytes that this user can still write; plenty if the system does not say. */
function freeSpaceOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
