import { Readable } from 'node:stream';
import { startTimer, type Timer } from '../timer.ts';

/** A body as a bounded queue: pushed by the network, pulled by one reader. */
export interface ResponseBody {
  /** Starts the watch over its pace; the head of the response is there. */
  begin(): void;
  push(chunk: Uint8Array): void;
  end(): void;
  fail(error: unknown): void;
  readonly stream: AsyncIterable<Uint8Array>;
}

export interface ResponseBodyOptions {
  /** Milliseconds that may pass between two pieces while the reader waits. */
  readonly timeout: number;
  pause(): void;
  resume(): void;
  /** The reader went away before the end. */
  cancel(): void;
  /** The time limit passed. */
  stall(): void;
}

interface Failure {
  readonly error: unknown;
}

/** Bytes buffered before the network has to wait. */
const highWaterMark = 256 * 1024;

/** A slow reader (a pager, a disk) does not count as a slow service: the clock stops meanwhile. */
export function createResponseBody(options: ResponseBodyOptions): ResponseBody {
  let isPaused = false;
  let isOver = false;
  let failure: Failure | undefined;
  let timer: Timer | undefined;
  const readable = new Readable({ highWaterMark, read: resume, destroy: cancel });

  function begin(): void {
    timer = startTimer(options.timeout, () => options.stall());
  }
  function push(chunk: Uint8Array): void {
    if (isOver) return;
    timer?.restart();
    if (readable.push(chunk) || isPaused) return;
    isPaused = true;
    timer?.stop();
    options.pause();
  }
  function resume(): void {
    if (!isPaused || isOver) return;
    isPaused = false;
    begin();
    options.resume();
  }
  function settle(): void {
    isOver = true;
    timer?.stop();
    readable.push(null);
  }
  function cancel(_: unknown, done: () => void): void {
    if (!isOver) options.cancel();
    done();
  }
  return {
    begin,
    push,
    end: settle,
    fail(error) {
      failure = { error };
      settle();
    },
    stream: { [Symbol.asyncIterator]: () => iterate(readable, () => failure) },
  };
}

/** What came before a failure is read first, which a stream that is destroyed would not give. */
function iterate(
  readable: Readable,
  failureNow: () => Failure | undefined,
): AsyncIterator<Uint8Array, undefined> {
  const chunks = readable.iterator() as AsyncIterator<Uint8Array, undefined>;
  return {
    async next() {
      const result = await chunks.next();
      const failure = failureNow();
      if (result.done === true && failure !== undefined) throw failure.error;
      return result;
    },
    // That of the stream does nothing before the first `next`.
    return: () => {
      readable.destroy();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}
