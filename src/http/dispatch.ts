import type { Dispatcher } from 'undici';
import { oneLine, StatusError, isWrongResponse, networkErrorText } from './network-error-text.ts';
import { type Request, type Response, TransportError, type Reached } from './transport.ts';
import { onAbort } from '../common/abort.ts';
import { startTimer, type Timer } from '../common/clock.ts';

const switchingProtocols = 101;

/** Uses its own timeout, because undici's does not cover DNS and connecting. */
export function dispatch(agent: Pick<Dispatcher, 'dispatch'>, request: Request): Promise<Response> {
  const { url, method, timeout, signal } = request;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let isDone = false;
    let hasHead = false;
    let ignoreAbort = (): void => undefined;
    // Once undici has started the request, it may have reached the service.
    const reached = (): Reached => (controller === undefined ? 'no' : 'maybe');
    const limit = startTimer(timeout, () =>
      fail(
        new TransportError(`no response from ${url.origin} within ${timeout / 1000} s`, reached()),
      ),
    );
    const body = createResponseBody({
      timeout,
      pause: () => controller?.pause(),
      resume: () => controller?.resume(),
      cancel: () => fail(new TransportError('the response was not read', 'maybe')),
      stall: () =>
        fail(
          new TransportError(`no more data from ${url.origin} for ${timeout / 1000} s`, 'maybe'),
        ),
    });
    function release(): void {
      isDone = true;
      limit.stop();
      ignoreAbort();
    }
    function fail(error: Error): void {
      if (isDone) return;
      release();
      reject(error);
      body.fail(error);
      controller?.abort(error);
    }
    function switchProtocols(headers: Response['headers']): void {
      if (isDone) return;
      release();
      resolve({ status: switchingProtocols, headers, body: emptyBody() });
      controller?.abort(new Error('protocol switch not requested'));
    }
    function disconnect(error: Error): void {
      // This message is how undici reports a protocol switch that was not requested.
      if (!hasHead && error.message === 'bad upgrade') switchProtocols({});
      const verb = isWrongResponse(error) ? 'understand' : 'reach';
      const what = hasHead ? 'the response was interrupted' : `cannot ${verb} ${url.origin}`;
      fail(new TransportError(`${what}: ${networkErrorText(error)}`, reached(), error));
    }
    ignoreAbort = onAbort(signal, (reason) => {
      const mayBeDone = method !== 'GET' && reached() === 'maybe';
      fail(mayBeDone ? new TransportError(reason.message, 'maybe', reason) : reason);
    });
    if (signal?.aborted === true) return;
    agent.dispatch(dispatchOptions(request), {
      onRequestStart(started) {
        controller = started;
        if (isDone) started.abort(new TransportError('canceled before it was sent', 'no'));
      },
      onResponseStart(_, status, headers) {
        if (status === switchingProtocols) switchProtocols(joinHeaders(headers));
        else if (status < 100) disconnect(new StatusError(status));
        if (status < 200) return;
        hasHead = true;
        limit.stop();
        body.begin();
        resolve({ status, headers: joinHeaders(headers), body: body.stream, timeout });
      },
      onResponseData: (_, chunk) => body.push(chunk),
      onResponseEnd() {
        release();
        body.end();
      },
      onResponseError: (_, error) => disconnect(error),
    });
  });
}

const dispatchOptions = ({ url, method, headers, body }: Request): Dispatcher.DispatchOptions => ({
  origin: url.origin,
  path: url.pathname + url.search,
  method,
  headers: { ...headers },
  body: body instanceof Uint8Array ? Buffer.from(body) : (body ?? null),
  headersTimeout: 0,
  bodyTimeout: 0,
});

const joinHeaders = (headers: Record<string, string | string[] | undefined>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      oneLine(Array.isArray(value) ? value.join(', ') : (value ?? '')),
    ]),
  );

// eslint-disable-next-line @typescript-eslint/require-await -- a body is asynchronous by contract
async function* emptyBody(): AsyncGenerator<Uint8Array> {
  yield* [];
}

interface ResponseBodyOptions {
  /** Maximum milliseconds between chunks while the reader is waiting. */
  readonly timeout: number;
  pause(): void;
  resume(): void;
  cancel(): void;
  stall(): void;
}

type Result = IteratorResult<Uint8Array, undefined>;

/** Reading from the network pauses at this many buffered bytes and resumes at half of them. */
const highWaterMark = 256 * 1024;

/**
 * A body as a bounded queue between the network and one reader. The timeout is suspended while the
 * network is paused, so that a slow reader (a pager, a disk) does not look like a slow service.
 * Unlike Node's streams, this does not merge queued chunks by copying them.
 */
export function createResponseBody(options: ResponseBodyOptions) {
  const chunks: Uint8Array[] = [];
  let waiting = 0;
  let isPaused = false;
  let isOver = false;
  let failure: { readonly error: unknown } | undefined;
  let timer: Timer | undefined;
  let wake = (): void => undefined;

  /** Starts the timeout between chunks. Called when the headers have arrived. */
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
    // Chunks that arrived before a failure are returned first.
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
