/** The address for agents of other machines: loaded only where one is wanted. */
import { CictlError } from '../../errors.ts';
import type { AgentAddress } from '../reach.ts';
import { agentReach } from './agent-reach.ts';
import { connectionLimit } from './connection-limit.ts';
import { inUrl } from './hosts.ts';
import { listen, silence, type Listener } from './listen.ts';
import type { Reach } from './reach.ts';
import type { Route } from './route.ts';
import { tlsProblem } from './tls-problem.ts';

export interface AgentListener {
  readonly server: Listener;
  readonly reach: Reach;
  /** `https://0.0.0.0:8443` */
  readonly url: string;
}

/** Throws `CictlError` `machine` as `listen` does, and where certificate and key do not work. */
export async function listenForAgents(address: AgentAddress): Promise<AgentListener> {
  const { host, tls } = address;
  const problem = tls && tlsProblem(tls);
  if (problem !== undefined)
    throw new CictlError('machine', `cannot listen with this certificate and key: ${problem}`);
  // The rest is for those on this machine, who then still get through.
  const limits = { silence, connections: connectionLimit(0.75), idle };
  const server = await listen(address, limits);
  const url = `${tls === undefined ? 'http' : 'https'}://${inUrl(host)}:${server.port}`;
  return { server, url, reach: agentReach(address, server.port) };
}

/** Milliseconds: past the next heartbeat of an agent, for which TLS would begin anew. */
const idle = 45_000;

/** The agent API with its artifacts and snapshots: nothing that a person or a page asks for. */
export const routesForAgents = (routes: readonly Route[]): Route[] =>
  routes.filter(({ path, audience }) => forAgents.test(path) && !forOthers.has(audience));

const forAgents = /^\/(?:v3|agentedge\.v1\.AgentEdgeService|\.well-known)\//;
const forOthers: ReadonlySet<Route['audience']> = new Set(['access', 'admin']);
