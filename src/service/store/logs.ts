/** The logs of jobs. Each job has one file. */
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
import { removeExisting, writeChunk } from './files.ts';
import { makeFolder } from '../../common/write-files.ts';
import { Refusal } from '../domain/refusal.ts';
import { limitLine, lineEnd } from '../run-options.ts';

/** `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** In bytes. Agents have the same default. */
const defaultMaxSize = 1024 ** 3;

export type Logs = ReturnType<typeof openLogs>;

/** `maxSize` is the maximum size of a log in bytes. A log that reaches it ends with `limitLine`. */
export function openLogs(dataDir: string, maxSize = defaultMaxSize) {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = (jobId: string): string => join(folder, `${jobId}.log`);
  const noteOf = (jobId: string): string => join(folder, `${jobId}.deleted`);
  return {
    folder,
    maxSize,
    file,
    /** Size in bytes; undefined if there is no log. */
    size: (jobId: string): Promise<number | undefined> =>
      stat(file(jobId)).then(
        ({ size }) => size,
        () => undefined,
      ),
    /** Synchronous, because many simultaneous calls would block all I/O threads. */
    isEmpty: (jobId: string): boolean =>
      (statSync(file(jobId), { throwIfNoEntry: false })?.size ?? 0) === 0,
    read: async function* (jobId: string, { start, end }: ByteRange): AsyncIterable<Uint8Array> {
      if (end > start) yield* createReadStream(file(jobId), { start, end: end - 1 });
    },
    append: (jobId: string, text: string): Promise<void> =>
      appendFile(file(jobId), text, { mode: 0o600 }),
    /** Synchronous, for lines that must be in the log before anything else happens. */
    appendNow: (jobId: string, text: string) => {
      appendFileSync(file(jobId), text, { mode: 0o600 });
    },
    /** Deletes a log but records that the log existed. Works even if the disk is full. */
    delete: async (jobId: string): Promise<void> => {
      await truncate(file(jobId));
      await rename(file(jobId), noteOf(jobId));
    },
    wasDeleted: (jobId: string): boolean => existsSync(noteOf(jobId)),
    /** Removes the log and the record of its deletion. */
    remove: async (jobId: string): Promise<void> => {
      await removeExisting(file(jobId));
      await removeExisting(noteOf(jobId));
    },
  };
}

export type LogPieces = ReturnType<typeof openLogPieces>;

/**
 * Writes the log chunks that agents send. A log file never has gaps, so readers only see what was
 * printed. If a chunk starts after the end of the file, it is stored separately until the missing
 * bytes arrive.
 */
export function openLogPieces(dataDir: string, { file, maxSize }: Pick<Logs, 'file' | 'maxSize'>) {
  const root = join(dataDir, 'log-pieces');
  const queues = new Map<string, Promise<void>>();
  /** Bytes stored separately since the service started, for each job with separate chunks. */
  const waiting = new Map(listNow(root).map((jobId) => [jobId, 0]));
  const inOrder = (jobId: string, action: () => Promise<void>): Promise<void> => {
    const before = queues.get(jobId) ?? Promise.resolve();
    const done = before.then(action, action);
    queues.set(jobId, done);
    const clean = (): void => {
      if (queues.get(jobId) === done) queues.delete(jobId);
    };
    done.then(clean, clean);
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
      if (size > maxSize)
        throw new Refusal(
          'invalid',
          'Too much of this log arrived while an earlier part was missing',
        );
      waiting.set(jobId, size);
      await writePiece(folder(jobId), offset, bytes);
    } else if (waiting.has(jobId) && !(await joinPieces(folder(jobId), path, 'up to a gap'))) {
      await clear(jobId);
    }
  };
  /** Jobs whose logs have reached the limit. The line that reports this may still be missing. */
  const tooLong = new Set<string>();
  const reportLimit = async (jobId: string, isComplete: boolean): Promise<void> => {
    if (!tooLong.has(jobId)) return;
    const size = (await stat(file(jobId)).catch(() => undefined))?.size ?? 0;
    if (size < maxSize && !isComplete) return;
    if (size <= maxSize) await append(file(jobId), size, Buffer.from(lineEnd + limitLine(maxSize)));
    if (isComplete) tooLong.delete(jobId);
  };
  return {
    /**
     * Writes the bytes at their position in the log. Ignores repeated chunks. Drops bytes beyond
     * the maximum size and adds a line that reports it. Throws `Refusal` if too many bytes arrive
     * while earlier ones are missing.
     */
    write: (jobId: string, offset: number, bytes: Uint8Array): Promise<void> =>
      inOrder(jobId, async () => {
        const kept = bytes.subarray(0, Math.max(0, maxSize - offset));
        if (kept.byteLength < bytes.byteLength) tooLong.add(jobId);
        if (kept.byteLength > 0) await put(jobId, offset, kept);
        await reportLimit(jobId, false);
      }),
    /** Appends the separate chunks. Called when no more bytes will arrive. */
    finish: (jobId: string): Promise<void> =>
      inOrder(jobId, async () => {
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

/** Returns the new end of the file, or undefined if the bytes start beyond its current end. */
async function append(
  path: string,
  offset: number,
  bytes: Uint8Array,
): Promise<number | undefined> {
  const file = await open(path, 'a', 0o600);
  try {
    const { size } = await file.stat();
    if (offset > size) return undefined;
    // Skips bytes that are already in the file, because they are identical.
    await writeChunk(file, bytes.subarray(size - offset));
    return Math.max(size, offset + bytes.byteLength);
  } finally {
    await file.close();
  }
}

async function writePiece(folder: string, offset: number, bytes: Uint8Array): Promise<void> {
  await makeFolder(folder, 0o700);
  const path = join(folder, String(offset));
  const known = await stat(path).catch(() => undefined);
  if (known !== undefined && known.size >= bytes.byteLength) return;
  const draft = join(folder, 'draft');
  await writeFile(draft, bytes, { mode: 0o600 });
  await rename(draft, path);
}

/** Returns whether any chunks remain. */
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
