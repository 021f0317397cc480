/** Brings what the processes of a job write into its log. */
import { write } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { JobOutput } from './job-output.ts';
import type { Timers } from './stopper.ts';

export interface OutputCopy {
  /**
   * Resolves when all that was written before is in the log. A pipe is simply read until it is empty.
   * Else a byte sequence of its own is sent behind it: a terminal says neither how much it holds nor,
   * reliably, when it is empty.
   */
  sync(): Promise<void>;
  /** Grows with every piece that is read or written: while it does, `sync` gets on. */
  readonly pieces: number;
  /** Whether a piece is being written. */
  readonly isWriting: boolean;
  /** Why the log could not be written; what comes after that is dropped. */
  readonly error: Error | undefined;
}

/** Bytes that may wait for the log before the output is left unread. */
const longestQueue = 1 << 20;

/** `sink` gets the output in order, one call after the other; `onError` its first failure. */
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
  const write = (): Promise<void> =>
    (writing ??= writeAll()
      .catch(fail)
      .finally(() => (writing = undefined)));

  const take = (chunk: Buffer): Promise<void> => {
    pieces++;
    const { bytes, reached } = marks.take(chunk);
    queue.push(bytes);
    if (queue.reduce((sum, { length }) => sum + length, 0) > longestQueue) output.pause();
    const written = write();
    for (const done of reached) void written.then(done);
    return written;
  };
  output.on('data', (chunk: Buffer) => void take(chunk));
  // Its inner end is ours as well: no error but that of its own closing is left.
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
      // What a paused stream holds comes before what its pipe holds.
      while (output.read() !== null);
      const left = rest?.();
      if (left === undefined) return new Promise((resolve) => send(input, marks.expect(resolve)));
      if (left.length > 0) return take(left);
      return writing ?? Promise.resolve();
    },
  };
}

/** Off the main thread, because it may have to wait until there is room. */
function send(input: number, bytes: Buffer): void {
  write(input, bytes, () => undefined);
}

/** Byte sequences sent behind output, by which its reader knows that it has read all before them. */
interface OutputMarks {
  /** A new mark; `reached` is for the chunk that holds it. */
  expect(reached: () => void): Buffer;
  /** A chunk without the marks, and what is to be done when it is written. */
  take(chunk: Buffer): { readonly bytes: Buffer; readonly reached: (() => void)[] };
}

/** Marks of one job, which no output of it can guess. One that comes late is still taken out. */
export function createOutputMarks(): OutputMarks {
  const expected: { readonly mark: Buffer; readonly reached: () => void }[] = [];
  let kept: Buffer = Buffer.alloc(0);
  return {
    expect(reached) {
      const mark = Buffer.from(`\x1b_cictl;${randomUUID()}\x07`);
      expected.push({ mark, reached });
      return mark;
    },
    take(chunk) {
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

/** Where the first part of a mark stands at the end, whose other part is still to come. */
function beginOfMark(bytes: Buffer, expected: readonly { readonly mark: Buffer }[]): number {
  const longest = Math.max(...expected.map(({ mark }) => mark.length)) - 1;
  for (let at = Math.max(0, bytes.length - longest); at < bytes.length; at++) {
    const tail = bytes.subarray(at);
    if (expected.some(({ mark }) => mark.subarray(0, tail.length).equals(tail))) return at;
  }
  return bytes.length;
}

/** Milliseconds without a piece of output after which no more of it is awaited. */
const silence = 5000;

/**
 * Until all output is in the log. On a machine with much to do that takes its time, so that only
 * silence ends it; what left the job and stopped its terminal would be awaited for ever otherwise.
 */
export async function untilSilent(
  timers: Timers,
  copy: Pick<OutputCopy, 'sync' | 'pieces' | 'isWriting'>,
): Promise<void> {
  const done = copy.sync().then(() => true);
  for (let before = -1; copy.isWriting || before !== copy.pieces;) {
    before = copy.pieces;
    if ((await within(timers, silence, done)) === true) return;
    // A process that was given no time may have a piece to read, and not know yet.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Until it has settled, at most so many milliseconds; then undefined. */
export async function within<T>(timers: Timers, ms: number, settled: Promise<T>) {
  let cancelTimer = (): void => undefined;
  const late = new Promise<undefined>((resolve) => {
    cancelTimer = timers.after(ms, () => resolve(undefined));
  });
  const first = await Promise.race([settled, late]);
  cancelTimer();
  return first;
}
