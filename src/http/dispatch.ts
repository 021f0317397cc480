import type { Dispatcher } from 'undici';
import { oneLine, StatusError, isWrongResponse, networkErrorText } from './network-error-text.ts';
import { type Request, type Response, TransportError, type Reached } from './transport.ts';
import { onAbort } from '../common/abort.ts';
import { startTimer } from '../common/clock.ts';
import { createResponseBody } from './response-body.ts';

const switchingProtocols = 101;

/**
 * Sends one request with undici. Throws `TransportError`, or the reason of the signal. The timeout
 * is our own, because undici's does not cover DNS and connecting.
 */
export function dispatch(agent: Pick<Dispatcher, 'dispatch'>, request: Request): Promise<Response> {
  const { url, method, timeout, signal } = request;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let isDone = false;
    let hasHead = false;
    let ignoreAbort = (): void => undefined;
    // Once undici has started, the request may have arrived.
    const reached = (): Reached => (controller === undefined ? 'no' : 'maybe');
    const limit = startTimer(timeout, () =>
      fail(
        new TransportError(`no answer from ${url.origin} within ${timeout / 1000} s`, reached()),
      ),
    );
    const body = createResponseBody({
      timeout,
      pause: () => controller?.pause(),
      resume: () => controller?.resume(),
      cancel: () => fail(new TransportError('the answer was not read', 'maybe')),
      stall: () =>
        fail(
          new TransportError(
            `nothing more came from ${url.origin} for ${timeout / 1000} s`,
            'maybe',
          ),
        ),
    });
    function release(): void {
      isDone = true;
      limit.stop();
      ignoreAbort();
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
      resolve({ status: switchingProtocols, headers, body: emptyBody() });
      controller?.abort(new Error('nobody asked for another protocol'));
    }
    function disconnect(error: Error): void {
      // undici reports such a response only by this message.
      if (!hasHead && error.message === 'bad upgrade') switchProtocols({});
      const verb = isWrongResponse(error) ? 'understand' : 'reach';
      const what = hasHead ? 'the answer broke off' : `cannot ${verb} ${url.origin}`;
      fail(new TransportError(`${what}: ${networkErrorText(error)}`, reached(), error));
    }
    ignoreAbort = onAbort(signal, (reason) => {
      const mayBeDone = method !== 'GET' && reached() === 'maybe' && reason instanceof Error;
      fail(mayBeDone ? new TransportError(reason.message, 'maybe', reason) : reason);
    });
    if (isDone) return;
    agent.dispatch(dispatchOptions(request), {
      onRequestStart(started) {
        controller = started;
        if (isDone) started.abort(new TransportError('given up before it was sent', 'no'));
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
