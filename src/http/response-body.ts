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

/** Bytes buffered before the network is paused. */
const highWater = 256 * 1024;

/** A slow reader (a pager, a disk) does not count as a slow service: the clock stops meanwhile. */
export function createResponseBody(options: ResponseBodyOptions): ResponseBody {
  const queue: Uint8Array[] = [];
  let size = 0;
  let isPaused = false;
  let isDone = false;
  let failure: { readonly error: unknown } | undefined;
  let wake: (() => void) | undefined;
  let timer: Timer | undefined;

  const watch = (): void => {
    timer = startTimer(options.timeout, () => options.stall());
  };
  const settle = (error?: { error: unknown }): void => {
    isDone = true;
    failure = error;
    timer?.stop();
    wake?.();
  };
  function pauseWhenFull(): void {
    if (isPaused || size < highWater) return;
    isPaused = true;
    timer?.stop();
    options.pause();
  }
  function resumeWhenDrained(): void {
    if (!isPaused || isDone || size >= highWater / 2) return;
    isPaused = false;
    watch();
    options.resume();
  }
  async function next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const chunk = queue.shift();
      if (chunk !== undefined) {
        size -= chunk.length;
        resumeWhenDrained();
        return { done: false, value: chunk };
      }
      if (failure !== undefined) throw failure.error;
      if (isDone) return { done: true, value: undefined };
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  function stop(): Promise<IteratorResult<Uint8Array, undefined>> {
    queue.length = 0;
    if (!isDone) options.cancel();
    return Promise.resolve({ done: true, value: undefined });
  }
  return {
    begin: watch,
    push(chunk) {
      queue.push(chunk);
      size += chunk.length;
      timer?.restart();
      pauseWhenFull();
      wake?.();
    },
    end: () => settle(),
    fail: (error) => settle({ error }),
    stream: { [Symbol.asyncIterator]: () => ({ next, return: stop }) },
  };
}
