/** The file of one log: a head of fixed length with the size and hash of what follows it. */
import { createHash } from 'node:crypto';
import { open, utimes, type FileHandle } from 'node:fs/promises';
import { openCacheDraft } from './draft.ts';

/** A cached log. The body must be read, or begun and cancelled. */
export interface CachedLog {
  readonly size: number;
  readonly body: (start: number) => AsyncGenerator<Uint8Array, void, undefined>;
}

/** A log that is being written to the cache. */
export interface LogDraft {
  readonly add: (chunk: Uint8Array) => Promise<void>;
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
  const sum = createHash('sha256');
  for await (const chunk of chunksOf(file, headLength)) sum.update(chunk);
  return sum.digest('hex') === hash ? size : undefined;
}

async function* bodyOf(
  file: FileHandle,
  start: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* chunksOf(file, start);
  } finally {
    await file.close();
  }
}

async function* chunksOf(
  file: FileHandle,
  start: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = start; ;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(step), 0, step, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const step = 64 * 1024;

export async function draftCachedLog(path: string): Promise<LogDraft> {
  const { file, commit, discard } = await openCacheDraft(path);
  const sum = createHash('sha256');
  let size = 0;
  return {
    add: async (chunk) => {
      sum.update(chunk);
      await file.write(chunk, 0, chunk.length, headLength + size);
      size += chunk.length;
    },
    keep: async () => {
      await file.write(headOf(sum.digest('hex'), size), 0, 'latin1');
      await commit();
    },
    drop: discard,
  };
}
