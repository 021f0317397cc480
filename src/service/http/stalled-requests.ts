import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { startTimer } from '../../common/clock.ts';

/**
 * Ends the connections of clients that stop in the middle of a request's body for `limit`
 * milliseconds. A body that comes slowly may take as long as it wants, and so may we to read it;
 * responses are not looked at. Headers are Node's own concern (`headersTimeout`).
 */
export function endStalledRequests(server: Server, limit: number): void {
  const receiving = new Map<IncomingMessage, Receiving>();
  let isWatching = false;
  const look = (): void => {
    for (const [request, state] of receiving)
      if (request.complete || request.destroyed) receiving.delete(request);
      else if (isStalled(request, state)) refuse(request, state.response);
    isWatching = receiving.size > 0;
    if (isWatching) startTimer(limit / looks, look, { keepsProcess: false });
  };
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete) return;
    receiving.set(request, { response, bytes: 0, looks: 0 });
    if (isWatching) return;
    isWatching = true;
    startTimer(limit / looks, look, { keepsProcess: false });
  });
}

interface Receiving {
  readonly response: ServerResponse;
  /** What the connection had brought at the last look. */
  bytes: number;
  /** How often nothing had come since. */
  looks: number;
}

/** Counted, not measured: a machine that slept has not waited. */
const looks = 30;

function isStalled(request: IncomingMessage, state: Receiving): boolean {
  const { bytesRead: bytes } = request.socket;
  // What waits for us to read it does not show whether the client goes on.
  const isOurTurn = request.readableLength > 0 && !state.response.writableFinished;
  state.looks = bytes === state.bytes && !isOurTurn ? state.looks + 1 : 0;
  state.bytes = bytes;
  return state.looks >= looks;
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  if (!response.headersSent)
    request.socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  request.socket.destroySoon();
  request.destroy();
}
