import type { Dispatcher } from 'undici';
import { oneLine, StatusError } from './network-error-text.ts';
import { createRequestState, switching } from './request-state.ts';
import type { Request, Response } from './transport.ts';

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
