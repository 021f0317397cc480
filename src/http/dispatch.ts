import type { Dispatcher } from 'undici';
import { onAbort } from '../abort.ts';
import { startTimer } from '../timer.ts';
import { createResponseBody, type ResponseBody } from './response-body.ts';
import { networkErrorText, isWrongAnswer, oneLine, StatusError } from './network-error-text.ts';
import { TransportError, type Reached, type Request, type Response } from './transport.ts';

type Controller = Dispatcher.DispatchController;

/**
 * One request and its answer over undici. Throws `TransportError`, or the signal's reason. The
 * time limit is ours, because undici's does not cover looking up the name and connecting.
 */
export function dispatch(agent: Pick<Dispatcher, 'dispatch'>, request: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    const life = begin(request, resolve, reject);
    if (life.isOver()) return;
    agent.dispatch(parts(request), {
      onRequestStart: (controller) => life.start(controller),
      onResponseStart(_, status, headers) {
        if (status === switching) life.leave(joined(headers));
        else if (status < 100) life.break(new StatusError(status));
        if (status < 200) return;
        life.head();
        resolve({ status, headers: joined(headers), body: life.body.stream });
      },
      onResponseData: (_, chunk) => life.body.push(chunk),
      onResponseEnd: () => life.end(),
      onResponseError: (_, error) => life.break(error),
    });
  });
}

/** From sending to the last byte: it ends once, whoever ends it. */
interface Life {
  readonly body: ResponseBody;
  isOver(): boolean;
  /** The request goes out now: from here on it may have arrived. */
  start(controller: Controller): void;
  head(): void;
  /** The service goes on in another protocol: nothing of it can be read. */
  leave(headers: Response['headers']): void;
  end(): void;
  break(error: Error): void;
}

function begin(
  { method, url, signal, timeout }: Request,
  resolve: (response: Response) => void,
  reject: (error: unknown) => void,
): Life {
  let controller: Controller | undefined;
  let isOver = false;
  let hasHead = false;
  const reached = (): Reached => (controller === undefined ? 'no' : 'maybe');
  const limit = startTimer(timeout, () => {
    fail(new TransportError(`no answer from ${url.origin} within ${seconds(timeout)}`, reached()));
  });
  let ignore = (): void => undefined;
  const interrupt = (reason: unknown): void => {
    // Whoever interrupts a change should know that it may have been made.
    const isLate = method !== 'GET' && reached() === 'maybe' && reason instanceof Error;
    fail(isLate ? new TransportError(reason.message, 'maybe', reason) : reason);
  };
  const body = createResponseBody({
    timeout,
    pause: () => controller?.pause(),
    resume: () => controller?.resume(),
    cancel: () => fail(new TransportError('the answer was not read', 'maybe')),
    stall() {
      const text = `nothing more came from ${url.origin} for ${seconds(timeout)}`;
      fail(new TransportError(text, 'maybe'));
    },
  });
  function release(): void {
    isOver = true;
    limit.stop();
    ignore();
  }
  function fail(error: unknown): void {
    if (isOver) return;
    release();
    reject(error);
    body.fail(error);
    controller?.abort(error as Error);
  }
  function leave(headers: Response['headers']): void {
    if (isOver) return;
    release();
    resolve({ status: switching, headers, body: nothing() });
    controller?.abort(new Error('nobody asked for another protocol'));
  }
  ignore = onAbort(signal, interrupt);
  return {
    body,
    isOver: () => isOver,
    start(started) {
      controller = started;
      if (isOver) started.abort(new TransportError('given up before it was sent', 'no'));
    },
    head() {
      hasHead = true;
      limit.stop();
      body.begin();
    },
    leave,
    end() {
      release();
      body.end();
    },
    break(error) {
      // undici keeps such an answer to itself, but for this word.
      if (!hasHead && error.message === 'bad upgrade') leave({});
      const verb = isWrongAnswer(error) ? 'understand' : 'reach';
      const what = hasHead ? 'the answer broke off' : `cannot ${verb} ${url.origin}`;
      fail(new TransportError(`${what}: ${networkErrorText(error)}`, reached(), error));
    },
  };
}

/** The status of a service that goes on in another protocol. */
const switching = 101;

// eslint-disable-next-line @typescript-eslint/require-await -- a body is asynchronous by contract
async function* nothing(): AsyncGenerator<Uint8Array> {
  yield* [];
}

const seconds = (ms: number): string => `${ms / 1000} s`;

const parts = ({ url, method, headers, body }: Request): Dispatcher.DispatchOptions => ({
  origin: url.origin,
  path: url.pathname + url.search,
  method,
  headers: { ...headers },
  body: body instanceof Uint8Array ? Buffer.from(body) : (body ?? null),
  headersTimeout: 0,
  bodyTimeout: 0,
});

const joined = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      oneLine(Array.isArray(value) ? value.join(', ') : (value ?? '')),
    ]),
  );
