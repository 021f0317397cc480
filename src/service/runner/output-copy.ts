/** Copies the output of a job's processes into its log. */
import { write } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { JobOutput } from './job-output.ts';
import type { Timers } from './stopper.ts';

export interface OutputCopy {
  /**
   * Resolves when all earlier output is in the log. A pipe is read until it is empty. A terminal
   * cannot reliably report that it is empty, so a unique mark is written to it and read back.
   */
  sync(): Promise<void>;
  /** Number of chunks read and written so far. Shows whether `sync` is making progress. */
  readonly pieces: number;
  readonly isWriting: boolean;
  /** Why the log could not be written. Later output is dropped. */
  readonly error: Error | undefined;
}

/** When this many bytes are in the queue, reading pauses. */
const longestQueue = 1 << 20;

/** Calls `sink` for one chunk at a time. Calls `onError` for the first failure. */
export function copyOutput(
  { input, output, rest }: JobOutput,
  sink: (chunk: Buffer) => Promise<void>,
  onError: (error: Error) => void,
): OutputCopy {
  const marks = createOutputMarks();
  let queue: Buffer[] = [];
  let writing: Promise<void> | undefined;
  let failure: Error | undefined;
  let pieces = 0;

  const writeAll = async (): Promise<void> => {
    for (; queue.length > 0; output.resume()) {
      const bytes = Buffer.concat(queue);
      queue = [];
      if (failure === undefined && bytes.length > 0) await sink(bytes);
      pieces++;
    }
  };
  const fail = (error: unknown): void => {
    queue = [];
    failure = error instanceof Error ? error : new Error(String(error));
    onError(failure);
    output.resume();
  };
  const flush = (): Promise<void> =>
    (writing ??= writeAll()
      .catch(fail)
      .finally(() => (writing = undefined)));

  const take = (chunk: Buffer): Promise<void> => {
    pieces++;
    const { bytes, reached } = marks.take(chunk);
    queue.push(bytes);
    if (queue.reduce((sum, { length }) => sum + length, 0) > longestQueue) output.pause();
    const written = flush();
    for (const done of reached) void written.then(done);
    return written;
  };
  output.on('data', (chunk: Buffer) => void take(chunk));
  // Errors only occur while closing, because this process also keeps the other end open.
  output.on('error', () => undefined);
  return {
    get error() {
      return failure;
    },
    get pieces() {
      return pieces;
    },
    get isWriting() {
      return writing !== undefined;
    },
    sync() {
      // A paused stream may have buffered data that precedes the data in the pipe.
      while (output.read() !== null);
      const left = rest?.();
      // Asynchronous, because the write may block until the terminal has room.
      if (left === undefined)
        return new Promise((resolve) => write(input, marks.expect(resolve), () => undefined));
      if (left.length > 0) return take(left);
      return writing ?? Promise.resolve();
    },
  };
}

/**
 * Marks that are written after the output. Reading a mark shows that all output before it has been
 * read. A job cannot guess a mark. Late marks are removed from the output too.
 */
export function createOutputMarks() {
  const expected: { readonly mark: Buffer; readonly reached: () => void }[] = [];
  let kept: Buffer = Buffer.alloc(0);
  return {
    /** Creates a mark. `take` returns `reached` with the chunk in which it finds the mark. */
    expect(reached: () => void): Buffer {
      const mark = Buffer.from(`\x1b_cictl;${randomUUID()}\x07`);
      expected.push({ mark, reached });
      return mark;
    },
    take(chunk: Buffer): { readonly bytes: Buffer; readonly reached: (() => void)[] } {
      if (expected.length === 0) return { bytes: chunk, reached: [] };
      let bytes: Buffer = Buffer.concat([kept, chunk]);
      const found = expected.filter(({ mark }) => bytes.includes(mark));
      for (const one of found) {
        bytes = without(bytes, one.mark);
        expected.splice(expected.indexOf(one), 1);
      }
      const end = expected.length === 0 ? bytes.length : beginOfMark(bytes, expected);
      kept = Buffer.from(bytes.subarray(end));
      return { bytes: bytes.subarray(0, end), reached: found.map(({ reached }) => reached) };
    },
  };
}

function without(bytes: Buffer, mark: Buffer): Buffer {
  const at = bytes.indexOf(mark);
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + mark.length)]);
}

/** Returns the position where an incomplete mark begins, or the length if there is none. */
function beginOfMark(bytes: Buffer, expected: readonly { readonly mark: Buffer }[]): number {
  const longest = Math.max(...expected.map(({ mark }) => mark.length)) - 1;
  for (let at = Math.max(0, bytes.length - longest); at < bytes.length; at++) {
    const tail = bytes.subarray(at);
    if (expected.some(({ mark }) => mark.subarray(0, tail.length).equals(tail))) return at;
  }
  return bytes.length;
}

/** Waiting ends after this many milliseconds without output. */
const silence = 5000;

/** Waits for `sync`, but not forever: `sync` blocks if a process has paused its terminal. */
export async function untilSilent(
  timers: Timers,
  copy: Pick<OutputCopy, 'sync' | 'pieces' | 'isWriting'>,
): Promise<void> {
  const done = copy.sync().then(() => true);
  for (let before = -1; copy.isWriting || before !== copy.pieces;) {
    before = copy.pieces;
    if ((await within(timers, silence, done)) === true) return;
    // If this process had no CPU time, some output may be available that it has not read yet.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export async function within<T>(timers: Timers, ms: number, settled: Promise<T>) {
  let cancelTimer = (): void => undefined;
  const late = new Promise<undefined>((resolve) => {
    cancelTimer = timers.after(ms, () => resolve(undefined));
  });
  const first = await Promise.race([settled, late]);
  cancelTimer();
  return first;
}
