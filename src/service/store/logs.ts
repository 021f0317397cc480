/** Job logs: one file a job, appended to by its runner. */
import { appendFileSync, createReadStream, mkdirSync } from 'node:fs';
import { appendFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes `start` to before `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface Logs {
  /** Absolute; nothing else is in it. */
  readonly folder: string;
  file(jobId: string): string;
  /** Bytes at this moment; undefined where there is no log. */
  size(jobId: string): Promise<number | undefined>;
  /** Opens the file at the first read only. */
  read(jobId: string, range: ByteRange): AsyncIterable<Uint8Array>;
  append(jobId: string, text: string): Promise<void>;
  /** The same, for a line that has to be there before anything else happens. */
  appendNow(jobId: string, text: string): void;
  /** Nothing happens where there is none. */
  remove(jobId: string): Promise<void>;
}

/** Logs in the folder `logs` of a data folder. */
export function openLogs(dataDir: string): Logs {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = (jobId: string): string => join(folder, `${jobId}.log`);
  return {
    folder,
    file,
    size: (jobId) =>
      stat(file(jobId)).then(
        ({ size }) => size,
        () => undefined,
      ),
    read: (jobId, range) => readBytes(file(jobId), range),
    append: (jobId, text) => appendFile(file(jobId), text, { mode: 0o600 }),
    appendNow: (jobId, text) => appendFileSync(file(jobId), text, { mode: 0o600 }),
    remove: (jobId) => rm(file(jobId), { force: true }),
  };
}

async function* readBytes(path: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  if (end <= start) return;
  yield* createReadStream(path, { start, end: end - 1 }) as AsyncIterable<Uint8Array>;
}
