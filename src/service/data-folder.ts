/** The data folder of a service that runs may be deleted, replaced or unmounted under it. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
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
