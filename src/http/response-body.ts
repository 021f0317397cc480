import { startTimer, type Timer } from '../common/clock.ts';

interface ResponseBodyOptions {
  /** Milliseconds that may pass between two chunks while the reader is waiting. */
  readonly timeout: number;
  pause(): void;
  resume(): void;
  /** Called if the reader stops early. */
  cancel(): void;
  /** Called after the timeout. */
  stall(): void;
}

type Result = IteratorResult<Uint8Array, undefined>;

/** The network is paused at this many buffered bytes and resumed at half of them. */
const highWaterMark = 256 * 1024;

/**
 * A body as a bounded queue between the network and one reader. A slow reader (a pager, a disk)
 * does not count as a slow service: the timeout is suspended while the network is paused. Unlike
 * Node's streams, this does not copy waiting chunks into one.
 */
export function createResponseBody(options: ResponseBodyOptions) {
  const chunks: Uint8Array[] = [];
  let waiting = 0;
  let isPaused = false;
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;
  let timer: Timer | undefined;
  let wake = (): void => undefined;

  /** Starts the timeout between chunks; called when the headers have arrived. */
  function begin(): void {
    timer = startTimer(options.timeout, () => options.stall());
  }
  function push(chunk: Uint8Array): void {
    if (isOver) return;
    timer?.restart();
    chunks.push(chunk);
    waiting += chunk.length;
    wake();
    if (waiting < highWaterMark || isPaused) return;
    isPaused = true;
    timer?.stop();
    options.pause();
  }
  function end(): void {
    isOver = true;
    timer?.stop();
    wake();
  }
  function fail(error: unknown): void {
    failure = { error };
    end();
  }
  async function next(): Promise<Result> {
    if (chunks.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
    const value = chunks.shift();
    if (value !== undefined) {
      waiting -= value.length;
      if (isPaused && !isOver && waiting <= highWaterMark / 2) {
        isPaused = false;
        begin();
        options.resume();
      }
      return { done: false, value };
    }
    // Chunks that arrived before a failure are read first.
    const failed = failure;
    failure = undefined;
    if (failed !== undefined) throw failed.error;
    return { done: true, value: undefined };
  }
  function leave(): Promise<Result> {
    chunks.length = 0;
    failure = undefined;
    if (!isOver) options.cancel();
    return Promise.resolve({ done: true, value: undefined });
  }
  const stream: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({ next, return: leave }),
  };
  return { begin, push, end, fail, stream };
}
