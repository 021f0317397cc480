// The listener for agents on other machines, loaded only if it is configured.
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { CictlError } from '../../errors.ts';
import type { AgentAddress } from '../urls.ts';
import { connectionLimit, listen, silence } from './listen.ts';
import { inUrl, type Reach, isEveryInterface, isLoopback } from './reach.ts';
import type { Route } from './route.ts';
import { tlsProblem } from './tls-problem.ts';
import { ApiError } from './api-error.ts';

export async function listenForAgents(address: AgentAddress) {
  const { host, tls } = address;
  const problem = tls && tlsProblem(tls);
  if (problem !== undefined)
    throw new CictlError('machine', `cannot listen with this certificate and key: ${problem}`);
  // The remaining connections are reserved for clients on this machine.
  const limits = { silence, connections: connectionLimit(0.75), idle };
  const server = await listen(address, limits);
  const url = `${tls === undefined ? 'http' : 'https'}://${inUrl(host)}:${server.port}`;
  return { server, url, reach: agentReach(address, server.port) };
}

export type AgentListener = Awaited<ReturnType<typeof listenForAgents>>;

/** Milliseconds. Longer than the heartbeat interval, so that heartbeats share a TLS handshake. */
const idle = 45_000;

/** The agent API, artifacts and snapshots, but not the REST API or the pages. */
export const routesForAgents = (routes: readonly Route[]): Route[] =>
  routes.filter(({ path, audience }) => forAgents.test(path) && !forOthers.has(audience));

const forAgents = /^\/(?:v3|agentedge\.v1\.AgentEdgeService|\.well-known)\//;
const forOthers: ReadonlySet<Route['audience']> = new Set(['access', 'admin']);

// Agents never send `Origin`, so a request with one is from a page. `Host` reveals DNS rebinding.

/** `port` is the port that the service actually uses. */
export function agentReach({ host, tls, publicUrl }: AgentAddress, port: number): Reach {
  const own = tls === undefined ? 'http:' : 'https:';
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isOwnName = ownNames(host, known !== undefined);
  return {
    publicUrl,
    originOf(given = '', page) {
      if (page !== undefined)
        throw new ApiError(403, 'Forbidden: this endpoint is for agents, not for pages');
      if (known !== undefined && urlOf(known.protocol, given)?.host === known.host)
        return publicUrl ?? known.origin;
      const url = urlOf(own, given);
      const urlPort = Number(url?.port || (own === 'https:' ? 443 : 80));
      const name = url?.hostname.replace(/^\[(.*)\]$/, '$1');
      if (url === undefined || name === undefined || urlPort !== port || !isOwnName(name))
        throw new ApiError(
          403,
          'Forbidden: this service uses a different host name (local up --public-url)',
        );
      return publicUrl ?? url.origin;
    },
  };
}

/** If `host` means all interfaces, accepts IP addresses and the host name unless `isNamed`. */
function ownNames(host: string, isNamed: boolean): (name: string) => boolean {
  if (isEveryInterface(host))
    return (name) =>
      !isNamed && (isIP(name) !== 0 || [hostname().toLowerCase(), 'localhost'].includes(name));
  const names = isLoopback(host) ? [host, '127.0.0.1', '::1', 'localhost'] : [host];
  return (name) => names.includes(name);
}

function urlOf(scheme: string, host: string): URL | undefined {
  const isHost = /^[\w.:[\]-]+$/.test(host) && URL.canParse(`${scheme}//${host}`);
  return isHost ? new URL(`${scheme}//${host}`) : undefined;
}
