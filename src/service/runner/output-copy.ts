/** Brings what the processes of a job write into its log. */
import { randomUUID } from 'node:crypto';
import { write } from 'node:fs';
import type { JobOutput } from './job-output.ts';

export interface OutputCopy {
  /**
   * Resolves when all that was written before is in the log. A pipe is simply read until it is empty.
   * Else a byte sequence of its own is sent behind it: a terminal says neither how much it holds nor,
   * reliably, when it is empty.
   */
  sync(): Promise<void>;
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
  const marks = createMarks();
  let queue: Buffer[] = [];
  let writing: Promise<void> | undefined;
  let failure: Error | undefined;

  const writeAll = async (): Promise<void> => {
    for (; queue.length > 0; output.resume()) {
      const bytes = Buffer.concat(queue);
      queue = [];
      if (failure === undefined && bytes.length > 0) await sink(bytes);
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
    const { bytes, reached } = marks.take(chunk);
    queue.push(bytes);
    if (queue.reduce((sum, { length }) => sum + length, 0) > longestQueue) output.pause();
    const written = write();
    if (reached !== undefined) void written.then(reached);
    return written;
  };
  output.on('data', (chunk: Buffer) => void take(chunk));
  // Its inner end is ours as well: no error but that of its own closing is left.
  output.on('error', () => undefined);
  return {
    get error() {
      return failure;
    },
    sync() {
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

interface Marks {
  /** A new mark; `reached` is for the chunk that holds it. */
  expect(reached: () => void): Buffer;
  /** A chunk without the mark that is expected, and what is to be done when it is written. */
  take(chunk: Buffer): { bytes: Buffer; reached?: () => void };
}

function createMarks(): Marks {
  let expected: { mark: Buffer; reached: () => void } | undefined;
  let kept = Buffer.alloc(0);
  return {
    expect(reached) {
      const mark = Buffer.from(`\x1b_cictl;${randomUUID()}\x07`);
      expected = { mark, reached };
      return mark;
    },
    take(chunk) {
      if (expected === undefined) return { bytes: chunk };
      const { mark, reached } = expected;
      const bytes = Buffer.concat([kept, chunk]);
      const at = bytes.indexOf(mark);
      // It may be split over two chunks.
      const end = at === -1 ? Math.max(0, bytes.length - mark.length + 1) : bytes.length;
      kept = Buffer.from(bytes.subarray(end));
      if (at === -1) return { bytes: bytes.subarray(0, end) };
      expected = undefined;
      const rest = bytes.subarray(at + mark.length);
      return { bytes: Buffer.concat([bytes.subarray(0, at), rest]), reached };
    },
  };
}
