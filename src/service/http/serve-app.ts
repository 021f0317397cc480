/** Connects an app to Node's HTTP server without the classes of `fetch`, which load slowly. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { attempt } from '../../common/attempt.ts';
import { startTimer } from '../../common/clock.ts';
import type { App, AppRequest } from './app.ts';
import type { RouteResponse } from './response.ts';

/** Responds with 400 if the URL or the `Host` header is malformed. */
export function serveApp(app: App, scheme: 'http' | 'https'): RequestListener {
  return (incoming, outgoing) => {
    const url = urlOf(incoming, scheme);
    outgoing.once('finish', () => endUnread(incoming));
    const response =
      url === undefined ? Promise.resolve(malformed) : app(requestOf(incoming, outgoing, url));
    // A response that cannot be sent is like a lost connection.
    response
      .then((response) => send(response, outgoing))
      .catch((error: unknown) => outgoing.destroy(error as Error));
  };
}

const malformed: RouteResponse = { status: 400, headers: {}, body: null };

function urlOf({ url = '', headers }: IncomingMessage, scheme: string): string | undefined {
  if (!headers.host || !/^[^/?#@\\\s]+$/.test(headers.host)) return undefined;
  const isAbsolute = /^https?:\/\//.test(url);
  if (!isAbsolute && !url.startsWith('/')) return undefined;
  return attempt(() => new URL(isAbsolute ? url : `${scheme}://${headers.host}${url}`).href);
}

function requestOf(incoming: IncomingMessage, outgoing: ServerResponse, url: string): AppRequest {
  const { method = '', headers, socket } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  let signal: AbortSignal | undefined;
  return {
    ...{ method, url, socket },
    header(name) {
      const value = headers[name];
      return typeof value === 'object' ? value.join(', ') : value;
    },
    content: () => (hasBody ? chunksOf(incoming) : Readable.from([])),
    get signal() {
      return (signal ??= untilClosed(outgoing));
    },
  };
}

/** Does not destroy the request, because the client could then not read the response. */
const chunksOf = (incoming: IncomingMessage): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => incoming.iterator({ destroyOnReturn: false }),
});

/** Aborted if the client disconnects before it has received the response. */
function untilClosed(outgoing: ServerResponse): AbortSignal {
  const left = new AbortController();
  const abort = (): void => {
    if (!outgoing.writableFinished) left.abort();
  };
  if (outgoing.closed) abort();
  else outgoing.once('close', abort);
  return left.signal;
}

async function send({ status, headers, body }: RouteResponse, to: ServerResponse): Promise<void> {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    to.statusCode = status;
    for (const [name, value] of Object.entries(headers)) to.setHeader(name, value);
    to.end(body ?? undefined);
    return;
  }
  to.writeHead(status, headers);
  to.flushHeaders();
  await pipeline(body, to);
}

/** Reads the rest of a body for a moment, so that the client can read the response. */
function endUnread(incoming: IncomingMessage): void {
  if (incoming.complete) return;
  incoming.resume();
  const late = startTimer(500, () => incoming.socket.destroySoon(), { keepsProcess: false });
  incoming.once('close', () => late.stop());
}
