import type { AddressInfo } from 'node:net';
import { createServer, type Server, type IncomingMessage, type ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import { serveApp } from './serve-app.ts';
import type { App } from './app.ts';
import type { Settings } from '../store/tables/settings.ts';
import { startTimer } from '../../common/clock.ts';
import { CictlError } from '../../errors.ts';

/** By default, tries the previous port, then any port. Throws `CictlError` `machine`. */
export async function listenAsBefore(settings: Settings, port?: number): Promise<Listener> {
  const last = Number(settings.get('port') ?? 0);
  const server = await listen({ port: port ?? last }).catch((error: unknown) => {
    if (port !== undefined || last === 0) throw error;
    return listen({ port: 0 });
  });
  if (server.port !== last) settings.set('port', String(server.port));
  return server;
}

export interface Listener {
  readonly port: number;
  handle(app: App): void;
  close(): Promise<void>;
}

const grace = 1000;

export interface Limits {
  /** A request times out after this many milliseconds without new bytes of its headers or body. */
  readonly silence: number;
  /** Maximum number of connections. If there are more, new and idle connections are closed. */
  readonly connections: number;
  /** Milliseconds to keep a connection open between requests; default 5,000. */
  readonly idle?: number;
}

/** In milliseconds. Long enough for slow connections. */
export const silence = 30_000;

interface Address {
  readonly port: number;
  readonly host?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** Throws `CictlError` `machine` if the address is in use, not permitted or not on this machine. */
export async function listen(
  address: Address,
  limits: Limits = { silence, connections: connectionLimit(1) },
): Promise<Listener> {
  let handle: App = () => Promise.resolve({ status: 503, headers: {}, body: null });
  const { port, host = '127.0.0.1', tls } = address;
  const options = {
    headersTimeout: limits.silence,
    keepAliveTimeout: limits.idle ?? 5000,
    connectionsCheckingInterval: Math.ceil(limits.silence / 30),
    requestTimeout: 0,
  };
  const serve = serveApp((request) => handle(request), tls === undefined ? 'http' : 'https');
  const server =
    tls === undefined
      ? createServer(options, serve)
      : (await import('node:https')).createServer(
          { ...options, ...tls, handshakeTimeout: limits.silence },
          serve,
        );
  server.maxConnections = limits.connections;
  makeRoomWhenFull(server);
  endStalledRequests(server, limits.silence);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenError(address, cause)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    handle: (app) => (handle = app),
    close: () => closeServer(server),
  };
}

/** Closes idle connections at most once a second, because finding them takes a moment. */
function makeRoomWhenFull(server: Server): void {
  let isRecent = false;
  server.on('drop', () => {
    if (isRecent) return;
    isRecent = true;
    startTimer(1000, () => (isRecent = false), { keepsProcess: false });
    server.closeIdleConnections();
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = startTimer(grace, () => server.closeAllConnections());
    server.close(() => {
      force.stop();
      resolve();
    });
    server.closeIdleConnections();
  });
}

function listenError({ port, host }: Address, cause: NodeJS.ErrnoException): CictlError {
  const where = host === undefined ? `port ${port}` : `${host} port ${port}`;
  const reason = reasons[cause.code ?? ''] ?? cause.message;
  return new CictlError('machine', `cannot listen on ${where}: ${reason}`, {
    ...(host === undefined && { hint: 'cictl local up --port 0' }),
    cause,
  });
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the address is in use',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'unknown host name',
};

/** Allows 10,000 idle agents with two connections each (one of them is a long poll). */
const most = 20_000;

/** File descriptors reserved for logs, artifacts, the database, and pipes to jobs. */
const reserve = 1000;

/** Subtracts the reserved files from this process's open-file limit and multiplies by `share`. */
export function connectionLimit(share: number, openFiles = openFileLimit()): number {
  const left = Math.max(openFiles - reserve, openFiles / 2);
  return Math.min(most, Math.floor(left * share));
}

function openFileLimit(): number {
  const usual = 10_000;
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? usual);
  } catch {
    return usual;
  }
}

/** Allows slow bodies and responses, but not stalled bodies. Node handles stalled headers. */
function endStalledRequests(server: Server, limit: number): void {
  const receiving = new Map<IncomingMessage, Receiving>();
  const check = (): void => {
    for (const [request, state] of receiving)
      if (request.complete || request.destroyed) receiving.delete(request);
      else if (isStalled(request, state)) refuse(request, state.response);
    if (receiving.size > 0) startTimer(limit / checks, check, { keepsProcess: false });
  };
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete) return;
    if (receiving.size === 0) startTimer(limit / checks, check, { keepsProcess: false });
    receiving.set(request, { response, bytes: 0, silentChecks: 0 });
  });
}

interface Receiving {
  readonly response: ServerResponse;
  /** The value of `bytesRead` of the connection at the previous check. */
  bytes: number;
  silentChecks: number;
}

/** Counts checks instead of time, so that connections survive when the machine is suspended. */
const checks = 30;

function isStalled(request: IncomingMessage, state: Receiving): boolean {
  const { bytesRead: bytes } = request.socket;
  // The client cannot send more until we have read what it has already sent.
  const isOurTurn = request.readableLength > 0 && !state.response.writableFinished;
  state.silentChecks = bytes === state.bytes && !isOurTurn ? state.silentChecks + 1 : 0;
  state.bytes = bytes;
  return state.silentChecks >= checks;
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  if (!response.headersSent)
    request.socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  request.socket.destroySoon();
  request.destroy();
}
