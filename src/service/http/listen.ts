/** An HTTP server: on loopback, or where agents of other machines reach it. */
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { startTimer } from '../../common/clock.ts';
import { connectionLimit } from './connection-limit.ts';
import { endStalledRequests } from './stalled-requests.ts';
import { CictlError } from '../../errors.ts';

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

export interface Address {
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
