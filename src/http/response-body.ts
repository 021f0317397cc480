import { startTimer, type Timer } from '../common/clock.ts';

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

type Result = IteratorResult<Uint8Array, undefined>;

/** Bytes buffered before the network has to wait; from half of them on it goes on. */
const highWaterMark = 256 * 1024;

/**
 * A slow reader (a pager, a disk) does not count as a slow service: the clock stops meanwhile. The
 * pieces go through as they came: a stream of Node copies those that wait into one.
 */
export function createResponseBody(options: ResponseBodyOptions): ResponseBody {
  const pieces: Uint8Array[] = [];
  let waiting = 0;
  let isPaused = false;
  let isOver = false;
  let failure: Failure | undefined;
  let timer: Timer | undefined;
  let wake: () => void = nothing;

  function begin(): void {
    timer = startTimer(options.timeout, () => options.stall());
  }
  function push(chunk: Uint8Array): void {
    if (isOver) return;
    timer?.restart();
    pieces.push(chunk);
    waiting += chunk.length;
    wake();
    if (waiting < highWaterMark || isPaused) return;
    isPaused = true;
    timer?.stop();
    options.pause();
  }
  function resume(): void {
    if (!isPaused || isOver || waiting > highWaterMark / 2) return;
    isPaused = false;
    begin();
    options.resume();
  }
  function settle(): void {
    isOver = true;
    timer?.stop();
    wake();
  }
  async function next(): Promise<Result> {
    if (pieces.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
    const value = pieces.shift();
    if (value !== undefined) {
      waiting -= value.length;
      resume();
      return { done: false, value };
    }
    // What came before a failure is read first.
    const failed = failure;
    failure = undefined;
    if (failed !== undefined) throw failed.error;
    return { done: true, value: undefined };
  }
  function leave(): Promise<Result> {
    pieces.length = 0;
    failure = undefined;
    if (!isOver) options.cancel();
    return Promise.resolve({ done: true, value: undefined });
  }
  return {
    begin,
    push,
    end: settle,
    fail(error) {
      failure = { error };
      settle();
    },
    stream: { [Symbol.asyncIterator]: () => ({ next, return: leave }) },
  };
}

const nothing = (): void => undefined;
