/** Disk space that is kept for what must work on a full disk: starting the service, and freeing space. */
import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
