/** Job logs: one file a job, appended to by its runner. */
import { appendFileSync, createReadStream, existsSync, mkdirSync, statSync } from 'node:fs';
import { appendFile, rename, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { removeExisting } from './remove-existing.ts';

/** Bytes `start` to before `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface Logs {
  /** Absolute; nothing else is in it. */
  readonly folder: string;
  /** Bytes of output that are kept of one job; then comes the `limitLine`. */
  readonly maxSize: number;
  file(jobId: string): string;
  /** Bytes at this moment; undefined where there is no log. */
  size(jobId: string): Promise<number | undefined>;
  /** Whether nothing is in it now; asked of many at once, which would keep all other threads busy. */
  isEmpty(jobId: string): boolean;
  /** Opens the file at the first read only. */
  read(jobId: string, range: ByteRange): AsyncIterable<Uint8Array>;
  append(jobId: string, text: string): Promise<void>;
  /** The same, for a line that has to be there before anything else happens. */
  appendNow(jobId: string, text: string): void;
  /** Deletes the bytes of a log, and keeps a note of that. Needs no disk space. */
  delete(jobId: string): Promise<void>;
  wasDeleted(jobId: string): boolean;
  /** Removes the log and the note. */
  remove(jobId: string): Promise<void>;
}

/** That of agents, in bytes. */
const usualMaxSize = 1024 ** 3;

/** Logs in the folder `logs` of a data folder. */
export function openLogs(dataDir: string, maxSize = usualMaxSize): Logs {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = (jobId: string): string => join(folder, `${jobId}.log`);
  const noteOf = (jobId: string): string => join(folder, `${jobId}.deleted`);
  return {
    folder,
    maxSize,
    file,
    size: (jobId) =>
      stat(file(jobId)).then(
        ({ size }) => size,
        () => undefined,
      ),
    isEmpty: (jobId) => (statSync(file(jobId), { throwIfNoEntry: false })?.size ?? 0) === 0,
    read: (jobId, range) => readBytes(file(jobId), range),
    append: (jobId, text) => appendFile(file(jobId), text, { mode: 0o600 }),
    appendNow: (jobId, text) => appendFileSync(file(jobId), text, { mode: 0o600 }),
    delete: async (jobId) => {
      await truncate(file(jobId));
      await rename(file(jobId), noteOf(jobId));
    },
    wasDeleted: (jobId) => existsSync(noteOf(jobId)),
    remove: async (jobId) => {
      await removeExisting(file(jobId));
      await removeExisting(noteOf(jobId));
    },
  };
}

async function* readBytes(path: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  if (end <= start) return;
  yield* createReadStream(path, { start, end: end - 1 }) as AsyncIterable<Uint8Array>;
}
