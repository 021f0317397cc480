/** Brings what the processes of a job write into its log. */
import { write } from 'node:fs';
import type { JobOutput } from './job-output.ts';
import { createOutputMarks } from './output-marks.ts';

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
