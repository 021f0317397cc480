/** The file of one log: a head of fixed length with the size and hash of what follows it. */
import { createHash } from 'node:crypto';
import { open, utimes, type FileHandle } from 'node:fs/promises';
import { openCacheDraft } from './files.ts';

/** A cached log. The body must be read, or begun and cancelled. */
export interface CachedLog {
  readonly size: number;
  readonly body: (start: number) => AsyncGenerator<Uint8Array, void, undefined>;
}

/** A log that is being written to the cache. */
export interface LogDraft {
  /** Goes on meanwhile, but for where a promise is given. */
  readonly add: (chunk: Uint8Array) => Promise<void> | undefined;
  readonly keep: () => Promise<void>;
  readonly drop: () => Promise<void>;
}

const headOf = (hash: string, size: number): string =>
  `cictl-log 1 ${hash} ${String(size).padStart(12, '0')}\n`;

const headLength = headOf('0'.repeat(64), 0).length;
const headForm = /^cictl-log 1 ([0-9a-f]{64}) (\d{12})\n$/;

/** The log in a file; undefined where there is none, or it is damaged. */
export async function readCachedLog(path: string, now: number): Promise<CachedLog | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return undefined;
  const size = await checkedSize(file).catch(() => undefined);
  if (size === undefined) {
    await file.close();
    return undefined;
  }
  // What was used last is evicted last.
  await utimes(path, now / 1000, now / 1000).catch(() => undefined);
  return {
    size,
    body: (start) => bodyOf(file, headLength + start),
  };
}

async function checkedSize(file: FileHandle): Promise<number | undefined> {
  const head = await file.read(Buffer.alloc(headLength), 0, headLength, 0);
  const [, hash, digits] = headForm.exec(head.buffer.toString('latin1')) ?? [];
  const size = Number(digits);
  if (hash === undefined || (await file.stat()).size !== headLength + size) return undefined;
  return (await hashOf(file)) === hash ? size : undefined;
}

async function* bodyOf(
  file: FileHandle,
  start: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (let at = start; ;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(step), 0, step, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

const step = 64 * 1024;

/**
 * A log to come, written behind its reader. The hash is made of the file in the end: what is begun
 * without a known length may turn out too long, and would be hashed for nothing.
 */
export async function draftCachedLog(path: string): Promise<LogDraft> {
  const { file, commit, discard } = await openCacheDraft(path);
  const { add, finish, stop } = writeBehind(file, headLength);
  return {
    add,
    keep: async () => {
      const size = await finish();
      await file.write(headOf(await hashOf(file), size), 0, 'latin1');
      await commit();
    },
    drop: async () => {
      await stop();
      await discard();
    },
  };
}

async function hashOf(file: FileHandle): Promise<string> {
  const sum = createHash('sha256');
  const buffer = Buffer.allocUnsafeSlow(hashStep);
  for (let at = headLength; ;) {
    const { bytesRead } = await file.read(buffer, 0, hashStep, at);
    if (bytesRead === 0) return sum.digest('hex');
    sum.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

const hashStep = 512 * 1024;

/** A file that is written while its writer goes on. */
interface WriteBehind {
  /**
   * Takes a piece, which must not change any more. Where too many wait, a promise for when they do
   * not. Throws, or rejects with, what an earlier piece failed with.
   */
  readonly add: (piece: Uint8Array) => Promise<void> | undefined;
  /** Resolves to the bytes in all, once they are written. */
  readonly finish: () => Promise<number>;
  /** Writes nothing more; resolves when nothing is being written. */
  readonly stop: () => Promise<void>;
}

/** So many bytes are written at a time; each call of the system goes through a thread of Node. */
const batch = 1024 * 1024;

/** Bytes that may wait for a slow disk. */
const mostWaiting = 4 * batch;

/** Writes to a file from `start` on, many pieces at a time. */
export function writeBehind(file: Pick<FileHandle, 'writev'>, start: number): WriteBehind {
  let pieces: Uint8Array[] = [];
  let waiting = 0;
  let size = 0;
  let writing: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let end = start;

  function add(piece: Uint8Array): Promise<void> | undefined {
    throwFailure();
    pieces.push(piece);
    waiting += piece.length;
    size += piece.length;
    if (waiting >= batch) writing ??= writeWaiting();
    return waiting > mostWaiting ? writing?.then(throwFailure) : undefined;
  }

  /** Never rejects. */
  async function writeWaiting(least = batch): Promise<void> {
    try {
      while (pieces.length > 0 && waiting >= least) await writeAll(pieces.splice(0));
    } catch (error) {
      failure ??= { error };
      pieces = [];
    }
    writing = undefined;
  }

  async function writeAll(all: Uint8Array[]): Promise<void> {
    const length = waiting;
    waiting = 0;
    const { bytesWritten } = await file.writev(all, end);
    if (bytesWritten < length) throw new Error(`only ${bytesWritten} of ${length} bytes fit`);
    end += length;
  }

  function throwFailure(): void {
    if (failure !== undefined) throw failure.error;
  }

  return {
    add,
    finish: async () => {
      await writing;
      await writeWaiting(0);
      throwFailure();
      return size;
    },
    stop: async () => {
      pieces = [];
      await writing;
    },
  };
}
