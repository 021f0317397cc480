/** The address of the service stays what it was, as far as that is possible. */
import type { AddressInfo } from 'node:net';
import type { Server, IncomingMessage, ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import { createAdaptorServer } from '@hono/node-server';
import type { Settings } from '../store/tables/settings.ts';
import { startTimer } from '../../common/clock.ts';
import { CictlError } from '../../errors.ts';

/**
 * Listens at `port`, else where it did last time, else, where that is taken, at any free port, and
 * notes which it is. Throws `CictlError` `machine` where `port` cannot be had.
 */
export async function listenAsBefore(settings: Settings, port?: number): Promise<Listener> {
  const last = Number(settings.get('port') ?? 0);
  const server = port === undefined ? await listenAt(last) : await listen({ port });
  if (server.port !== last) settings.set('port', String(server.port));
  return server;
}

const listenAt = (port: number): Promise<Listener> =>
  listen({ port }).catch((error: unknown) => {
    if (port === 0) throw error;
    return listen({ port: 0 });
  });

// An HTTP server: on loopback, or where agents of other machines reach it.

type Fetch = (request: Request, env?: object) => Response | Promise<Response>;

export interface Listener {
  readonly port: number;
  /** Handles requests from now on; until then they get 503. */
  handle(fetch: Fetch): void;
  /** Lets requests that are being answered end, for a moment. */
  close(): Promise<void>;
}

/** Milliseconds that open responses get when the service closes. */
const grace = 1000;

export interface Limits {
  /** Milliseconds for the headers of a request, and without a byte of its body. */
  readonly silence: number;
  /** Connections at once; more are closed when they come, and so are then those that wait for nothing. */
  readonly connections: number;
  /** Milliseconds that a connection stays open between two requests; default 5 seconds. */
  readonly idle?: number;
}

/** Milliseconds: as long as a client on a bad line may need. */
export const silence = 30_000;

const usualLimits = (): Limits => ({ silence, connections: connectionLimit(1) });

interface Address {
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** With certificate and key as PEM it speaks TLS alone. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** Throws `CictlError` `machine` when the address is taken, not allowed or none of this machine. */
export async function listen(address: Address, limits = usualLimits()): Promise<Listener> {
  let handle: Fetch = () => new Response(null, { status: 503 });
  const { port, host = '127.0.0.1', tls } = address;
  const server = createAdaptorServer({
    fetch: (request, env) => handle(request, env),
    ...(tls !== undefined && { createServer: (await import('node:https')).createServer }),
    serverOptions: {
      ...(tls !== undefined && { ...tls, handshakeTimeout: limits.silence }),
      headersTimeout: limits.silence,
      keepAliveTimeout: limits.idle ?? 5000,
      connectionsCheckingInterval: Math.ceil(limits.silence / 30),
      // A large artifact on a slow disk takes its time.
      requestTimeout: 0,
    },
  }) as Server;
  server.maxConnections = limits.connections;
  makeRoomWhenFull(server);
  endStalledRequests(server, limits.silence);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenError(address, cause)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    handle: (fetch) => (handle = fetch),
    close: () => closeServer(server),
  };
}

/** To look for them takes a moment where there are thousands: once a second is enough. */
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
  EADDRINUSE: 'it is in use',
  EADDRNOTAVAIL: 'it is no address of this machine',
  ENOTFOUND: 'there is no such name',
};

// How many connections a listener lets in.

/** 10,000 agents that wait for work, each with one that waits and one for what it says meanwhile. */
const most = 20_000;

/** Files that the service needs for itself: logs, artifacts, the database, the pipes of jobs. */
const reserve = 1000;

/** `share` of what this process may open beside what it needs itself. */
export function connectionLimit(share: number, openFiles = openFileLimit()): number {
  const left = Math.max(openFiles - reserve, openFiles / 2);
  return Math.min(most, Math.floor(left * share));
}

/** Where the system does not say it, what the usual ones allow. */
function openFileLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? usual);
  } catch {
    return usual;
  }
}

const usual = 10_000;

/**
 * Ends the connections of clients that stop in the middle of a request's body for `limit`
 * milliseconds. A body that comes slowly may take as long as it wants, and so may we to read it;
 * responses are not looked at. Headers are Node's own concern (`headersTimeout`).
 */
function endStalledRequests(server: Server, limit: number): void {
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
