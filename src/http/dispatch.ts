import type { Dispatcher } from 'undici';
import { oneLine, StatusError, isWrongResponse, networkErrorText } from './network-error-text.ts';
import { type Request, type Response, TransportError, type Reached } from './transport.ts';
import { onAbort } from '../common/abort.ts';
import { startTimer } from '../common/clock.ts';
import { createResponseBody, type ResponseBody } from './response-body.ts';

/**
 * One request and its response over undici. Throws `TransportError`, or the signal's reason. The
 * time limit is ours, because undici's does not cover looking up the name and connecting.
 */
export function dispatch(agent: Pick<Dispatcher, 'dispatch'>, request: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    const state = createRequestState(request, resolve, reject);
    if (state.isDone()) return;
    agent.dispatch(parts(request), {
      onRequestStart: (controller) => state.start(controller),
      onResponseStart(_, status, headers) {
        if (status === switching) state.switchProtocols(joined(headers));
        else if (status < 100) state.break(new StatusError(status));
        if (status < 200) return;
        state.head();
        const { timeout } = request;
        resolve({ status, headers: joined(headers), body: state.body.stream, timeout });
      },
      onResponseData: (_, chunk) => state.body.push(chunk),
      onResponseEnd: () => state.end(),
      onResponseError: (_, error) => state.break(error),
    });
  });
}

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

type Controller = Dispatcher.DispatchController;

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

/** The status of a service that switches to another protocol. */
const switching = 101;

/** Starts the time limit of a request, and settles the promise of its response. */
function createRequestState(
  request: Request,
  resolve: (response: Response) => void,
  reject: (error: unknown) => void,
): RequestState {
  let controller: Controller | undefined;
  let isDone = false;
  let hasHead = false;
  let ignore = (): void => undefined;
  const progress = (): Progress => ({ isSent: controller !== undefined, hasHead });
  const limit = startTimer(request.timeout, () => fail(timeoutError(request, progress())));
  const body = bodyOf(request, () => controller, fail);
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
  ignore = onAbort(request.signal, (reason) => fail(interruptError(request, progress(), reason)));
  return {
    body,
    isDone: () => isDone,
    switchProtocols,
    start(started) {
      controller = started;
      if (isDone) started.abort(new TransportError('given up before it was sent', 'no'));
    },
    head() {
      hasHead = true;
      limit.stop();
      body.begin();
    },
    end() {
      release();
      body.end();
    },
    break(error) {
      // undici does not report such a response, except by this message.
      if (!hasHead && error.message === 'bad upgrade') switchProtocols({});
      fail(brokenError(request, progress(), error));
    },
  };
}

/** The body of the response; a reader that goes away and a standstill fail the request. */
const bodyOf = (
  request: Request,
  controller: () => Controller | undefined,
  fail: (error: unknown) => void,
): ResponseBody =>
  createResponseBody({
    timeout: request.timeout,
    pause: () => controller()?.pause(),
    resume: () => controller()?.resume(),
    cancel: () => fail(new TransportError('the answer was not read', 'maybe')),
    stall: () => fail(stallError(request)),
  });

// eslint-disable-next-line @typescript-eslint/require-await -- a body is asynchronous by contract
async function* nothing(): AsyncGenerator<Uint8Array> {
  yield* [];
}

// What a request that failed is reported as: pure, by how far it had come.

/** How far a request has come. */
interface Progress {
  /** From then on it may have arrived. */
  readonly isSent: boolean;
  /** The head of the response is there. */
  readonly hasHead: boolean;
}

const reached = ({ isSent }: Progress): Reached => (isSent ? 'maybe' : 'no');

const timeoutError = ({ url, timeout }: Request, progress: Progress): TransportError =>
  new TransportError(`no answer from ${url.origin} within ${seconds(timeout)}`, reached(progress));

/** Nothing more of the body came in time. */
const stallError = ({ url, timeout }: Request): TransportError =>
  new TransportError(`nothing more came from ${url.origin} for ${seconds(timeout)}`, 'maybe');

/** The signal's reason; whoever interrupts a change should know that it may have been made. */
function interruptError({ method }: Request, progress: Progress, reason: unknown): unknown {
  const isLate = method !== 'GET' && progress.isSent && reason instanceof Error;
  return isLate ? new TransportError(reason.message, 'maybe', reason) : reason;
}

/** The connection failed, or what came over it is not HTTP. */
function brokenError({ url }: Request, progress: Progress, error: Error): TransportError {
  const verb = isWrongResponse(error) ? 'understand' : 'reach';
  const what = progress.hasHead ? 'the answer broke off' : `cannot ${verb} ${url.origin}`;
  return new TransportError(`${what}: ${networkErrorText(error)}`, reached(progress), error);
}

const seconds = (ms: number): string => `${ms / 1000} s`;
