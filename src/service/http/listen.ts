/** The HTTP server, on loopback alone. */
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { startTimer } from '../../timer.ts';
import { endStalledRequests } from './stalled-requests.ts';
import { CictlError } from '../../errors.ts';

type Fetch = (request: Request) => Response | Promise<Response>;

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
  /** Connections at once; more are closed when they come. */
  readonly connections: number;
}

const usualLimits: Limits = { silence: 30_000, connections: 1000 };

/** Listens on 127.0.0.1. Throws `CictlError` `machine` when the port is taken or not allowed. */
export async function listen(port: number, limits = usualLimits): Promise<Listener> {
  let handle: Fetch = () => new Response(null, { status: 503 });
  const server = createAdaptorServer({
    fetch: (request) => handle(request),
    serverOptions: {
      headersTimeout: limits.silence,
      connectionsCheckingInterval: Math.ceil(limits.silence / 30),
      // A large artifact on a slow disk takes its time.
      requestTimeout: 0,
    },
  }) as Server;
  server.maxConnections = limits.connections;
  endStalledRequests(server, limits.silence);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenError(port, cause)));
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    handle: (fetch) => (handle = fetch),
    close: () => closeServer(server),
  };
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

function listenError(port: number, cause: NodeJS.ErrnoException): CictlError {
  const reason = cause.code === 'EADDRINUSE' ? 'it is in use' : cause.message;
  return new CictlError('machine', `cannot listen on port ${port}: ${reason}`, {
    hint: 'cictl local up --port 0',
    cause,
  });
}
