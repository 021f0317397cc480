/** Job logs: one file a job, appended to by its runner. */
import {
  appendFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  statSync,
  readdirSync,
} from 'node:fs';
import {
  appendFile,
  rename,
  stat,
  truncate,
  open,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { removeExisting } from './files.ts';
import { makeFolder } from '../../common/write-files.ts';
import { Refusal } from '../domain/refusal.ts';
import { limitLine, lineEnd } from '../run-options.ts';

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

// Logs that come in pieces. The file of a log has no gaps, so that whoever reads it sees what was
// printed: a piece that begins behind its end waits in a file of its own until the gap is closed.

export interface LogPieces {
  /**
   * Writes the bytes at their place in the log of a job: on disk when it resolves, and once, however
   * often they come. Bytes beyond the limit of a log are dropped, and a line reports that. Throws
   * `Refusal` where too much waits for what comes before it.
   */
  write(jobId: string, offset: number, bytes: Uint8Array): Promise<void>;
  /** Nothing more comes: what waits behind a gap is put at the end. */
  finish(jobId: string): Promise<void>;
}

/** Pieces that wait are in the folder `log-pieces` of a data folder, at most as many bytes as a log may have. */
export function openLogPieces(
  dataDir: string,
  { file, maxSize }: Pick<Logs, 'file' | 'maxSize'>,
): LogPieces {
  const root = join(dataDir, 'log-pieces');
  const turns = new Map<string, Promise<void>>();
  /** Bytes that have come for jobs of which a folder of pieces is there, since the service runs. */
  const waiting = new Map(listNow(root).map((jobId) => [jobId, 0]));
  const inTurn = (jobId: string, action: () => Promise<void>): Promise<void> => {
    const before = turns.get(jobId) ?? Promise.resolve();
    const done = before.then(action, action);
    turns.set(jobId, done);
    const leave = (): void => {
      if (turns.get(jobId) === done) turns.delete(jobId);
    };
    done.then(leave, leave);
    return done;
  };
  const folder = (jobId: string): string => join(root, jobId);
  const clear = async (jobId: string): Promise<void> => {
    waiting.delete(jobId);
    await rm(folder(jobId), { recursive: true, force: true });
  };
  const put = async (jobId: string, offset: number, bytes: Uint8Array): Promise<void> => {
    const path = file(jobId);
    const end = await append(path, offset, bytes);
    if (end === undefined) {
      const size = (waiting.get(jobId) ?? 0) + bytes.byteLength;
      if (size > maxSize) throw new Refusal('invalid', 'Too much of this log came too early');
      waiting.set(jobId, size);
      await writePiece(folder(jobId), offset, bytes);
    } else if (waiting.has(jobId) && !(await joinPieces(folder(jobId), path, 'up to a gap'))) {
      await clear(jobId);
    }
  };
  /** Jobs of which bytes were dropped, and whose log may lack the line that reports it. */
  const tooLong = new Set<string>();
  const reportLimit = async (jobId: string, isComplete: boolean): Promise<void> => {
    if (!tooLong.has(jobId)) return;
    const size = (await stat(file(jobId)).catch(() => undefined))?.size ?? 0;
    if (size < maxSize && !isComplete) return;
    if (size <= maxSize) await append(file(jobId), size, Buffer.from(lineEnd + limitLine(maxSize)));
    if (isComplete) tooLong.delete(jobId);
  };
  return {
    write: (jobId, offset, bytes) =>
      inTurn(jobId, async () => {
        const kept = bytes.subarray(0, Math.max(0, maxSize - offset));
        if (kept.byteLength < bytes.byteLength) tooLong.add(jobId);
        if (kept.byteLength > 0) await put(jobId, offset, kept);
        await reportLimit(jobId, false);
      }),
    finish: (jobId) =>
      inTurn(jobId, async () => {
        if (waiting.has(jobId)) {
          await joinPieces(folder(jobId), file(jobId), 'all');
          await clear(jobId);
        }
        await reportLimit(jobId, true);
      }),
  };
}

function listNow(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The new end of the file; undefined where the bytes begin behind its end, and are not written. */
async function append(
  path: string,
  offset: number,
  bytes: Uint8Array,
): Promise<number | undefined> {
  const file = await open(path, 'a', 0o600);
  try {
    const { size } = await file.stat();
    if (offset > size) return undefined;
    // What is there already was the same.
    await writeAll(file, bytes.subarray(size - offset));
    return Math.max(size, offset + bytes.byteLength);
  } finally {
    await file.close();
  }
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesWritten } = await file.write(bytes, done);
    done += bytesWritten;
  }
}

/** Under its offset, in one step: a service that is killed leaves none that is not whole. */
async function writePiece(folder: string, offset: number, bytes: Uint8Array): Promise<void> {
  await makeFolder(folder, 0o700);
  const path = join(folder, String(offset));
  const known = await stat(path).catch(() => undefined);
  if (known !== undefined && known.size >= bytes.byteLength) return;
  const draft = join(folder, 'draft');
  await writeFile(draft, bytes, { mode: 0o600 });
  await rename(draft, path);
}

/** Whether some are left. */
async function joinPieces(
  folder: string,
  path: string,
  which: 'up to a gap' | 'all',
): Promise<boolean> {
  const names = await readdir(folder).catch((): string[] => []);
  const offsets = names.filter((name) => name !== 'draft').map(Number);
  offsets.sort((a, b) => a - b);
  for (const [index, offset] of offsets.entries()) {
    const piece = join(folder, String(offset));
    const bytes = await readFile(piece);
    const end = await append(path, offset, bytes);
    if (end === undefined && which === 'up to a gap') return index < offsets.length;
    if (end === undefined) await append(path, (await stat(path)).size, bytes);
    await rm(piece, { force: true });
  }
  return false;
}
