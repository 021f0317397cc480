/** A cached log file: a fixed-length header with the log's size and hash, followed by the log. */
import { createHash } from 'node:crypto';
import { open, utimes, type FileHandle } from 'node:fs/promises';
import { openCacheDraft } from './files.ts';

/** To close the file, read the result of `body` to the end, or start reading it and then cancel. */
export interface CachedLog {
  readonly size: number;
  readonly body: (start: number) => AsyncGenerator<Uint8Array, void, undefined>;
}

export type LogDraft = Awaited<ReturnType<typeof draftCachedLog>>;

const headOf = (hash: string, size: number): string =>
  `cictl-log 1 ${hash} ${String(size).padStart(12, '0')}\n`;

const headLength = headOf('0'.repeat(64), 0).length;
const headForm = /^cictl-log 1 ([0-9a-f]{64}) (\d{12})\n$/;

export async function readCachedLog(path: string, now: number): Promise<CachedLog | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return undefined;
  const size = await checkedSize(file).catch(() => undefined);
  if (size === undefined) {
    await file.close();
    return undefined;
  }
  // Marks the log as used, because the least recently used logs are evicted first.
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

const step = 512 * 1024;

/** Computes the hash at the end, because a log of unknown length may turn out too large to keep. */
export async function draftCachedLog(path: string) {
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

/** Bytes per write. Large writes are faster, because each one passes through a Node thread. */
const batch = 1024 * 1024;

const mostWaiting = 4 * batch;

export function writeBehind(file: Pick<FileHandle, 'writev'>, start: number) {
  let pieces: Uint8Array[] = [];
  let waiting = 0;
  let size = 0;
  let writing: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let end = start;

  /** Returns a promise if too much data is queued. Throws if an earlier write failed. */
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
    if (bytesWritten < length) throw new Error(`only ${bytesWritten} of ${length} bytes written`);
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
