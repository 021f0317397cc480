import type { FileHandle } from 'node:fs/promises';

/** A file that is written while its writer goes on. */
export interface WriteBehind {
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
