import type { Dispatcher } from 'undici';
import { onAbort } from '../abort.ts';
import { startTimer } from '../timer.ts';
import {
  brokenError,
  interruptError,
  stallError,
  timeoutError,
  type Progress,
} from './request-errors.ts';
import { createResponseBody, type ResponseBody } from './response-body.ts';
import { TransportError, type Request, type Response } from './transport.ts';

type Controller = Dispatcher.DispatchController;

/** From sending to the last byte; it settles once. */
export interface RequestState {
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
export const switching = 101;

/** Starts the time limit of a request, and settles the promise of its response. */
export function createRequestState(
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
