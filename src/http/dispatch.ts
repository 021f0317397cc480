import type { Dispatcher } from 'undici';
import { onAbort } from '../abort.ts';
import { startTimer } from '../timer.ts';
import { createResponseBody, type ResponseBody } from './response-body.ts';
import { networkErrorText, isWrongResponse, oneLine, StatusError } from './network-error-text.ts';
import { TransportError, type Reached, type Request, type Response } from './transport.ts';

type Controller = Dispatcher.DispatchController;

/**
 * One request and its response over undici. Throws `TransportError`, or the signal's reason. The
 * time limit is ours, because undici's does not cover looking up the name and connecting.
 */
export function dispatch(agent: Pick<Dispatcher, 'dispatch'>, request: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    const state = begin(request, resolve, reject);
    if (state.isDone()) return;
    agent.dispatch(parts(request), {
      onRequestStart: (controller) => state.start(controller),
      onResponseStart(_, status, headers) {
        if (status === switching) state.switchProtocols(joined(headers));
        else if (status < 100) state.break(new StatusError(status));
        if (status < 200) return;
        state.head();
        resolve({ status, headers: joined(headers), body: state.body.stream });
      },
      onResponseData: (_, chunk) => state.body.push(chunk),
      onResponseEnd: () => state.end(),
      onResponseError: (_, error) => state.break(error),
    });
  });
}

/** From sending to the last byte; it settles once. */
interface RequestState {
  readonly body: ResponseBody;
  isDone(): boolean;
  /** The request goes out now: from here on it may have arrived. */
  start(controller: Controller): void;
  head(): void;
  /** The service switches to another protocol: nothing of it can be read. */
  switchProtocols(headers: Response['headers']): void;
  end(): void;
  break(error: Error): void;
}

function begin(
  { method, url, signal, timeout }: Request,
  resolve: (response: Response) => void,
  reject: (error: unknown) => void,
): RequestState {
  let controller: Controller | undefined;
  let isDone = false;
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
    isDone = true;
    limit.stop();
    ignore();
  }
  function fail(error: unknown): void {
    if (isDone) return;
    release();
    reject(error);
    body.fail(error);
    controller?.abort(error as Error);
  }
  function switchProtocols(headers: Response['headers']): void {
    if (isDone) return;
    release();
    resolve({ status: switching, headers, body: nothing() });
    controller?.abort(new Error('nobody asked for another protocol'));
  }
  ignore = onAbort(signal, interrupt);
  return {
    body,
    isDone: () => isDone,
    start(started) {
      controller = started;
      if (isDone) started.abort(new TransportError('given up before it was sent', 'no'));
    },
    head() {
      hasHead = true;
      limit.stop();
      body.begin();
    },
    switchProtocols,
    end() {
      release();
      body.end();
    },
    break(error) {
      // undici does not report such a response, except by this message.
      if (!hasHead && error.message === 'bad upgrade') switchProtocols({});
      const verb = isWrongResponse(error) ? 'understand' : 'reach';
      const what = hasHead ? 'the answer broke off' : `cannot ${verb} ${url.origin}`;
      fail(new TransportError(`${what}: ${networkErrorText(error)}`, reached(), error));
    },
  };
}

/** The status of a service that switches to another protocol. */
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
