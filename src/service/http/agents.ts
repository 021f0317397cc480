// An organization's view of its agents: this machine's slots, and remote agents.
import type { ServiceContext } from '../service-context.ts';
import type { Agent, Organization } from '../domain/records.ts';
import type { Pause, RemoteAgent } from '../domain/agents.ts';
import { badRequest } from './api-error.ts';
import { bodyReader, objectOf } from './body-reader.ts';

type Parts = Pick<ServiceContext, 'engine' | 'store'>;

type Connection = 'connected' | 'stopping' | 'disconnected' | 'lost' | 'never_connected';

export type SeenAgent = Pick<
  RemoteAgent,
  'hostname' | 'os' | 'ip' | 'userAgent' | 'version' | 'pid' | 'tags'
> & {
  readonly agent: Agent;
  readonly connection: Connection;
  readonly priority: number | null;
  readonly pause: Pause | null;
  readonly jobId: string | null;
  readonly connectedAt: number | null;
  readonly disconnectedAt: number | null;
  readonly lostAt: number | null;
  /** Null for slots and disconnected agents. */
  readonly lastSeenAt: number | null;
};

/** Lists the slots first, because they serve all organizations. */
export const connectedAgents = (parts: Parts, organization: Organization): SeenAgent[] => [
  ...parts.engine.slots.map(({ agent }) => seeAgent(parts, organization, agent)),
  ...parts.engine.agents
    .present(organization.id)
    .filter(({ agent }) => agent.state === 'connected')
    .map(({ agent }) => seeAgent(parts, organization, agent)),
];

/** Also finds disconnected agents, and agents that ran one of the jobs before a restart. */
export function findAgent(
  parts: Parts,
  organization: Organization,
  id: string,
): SeenAgent | undefined {
  const { engine, store } = parts;
  const remote = store.agents.byId(id);
  const ofOrganization = remote?.organizationId === organization.id ? remote : undefined;
  const slot = engine.slots.find(({ agent }) => agent.id === id)?.agent;
  const agent = slot ?? ofOrganization ?? store.builds.agent(organization.id, id);
  return agent && seeAgent(parts, organization, agent);
}

/** Returns the current state of an agent. `agent` may be the record stored with a job. */
export function seeAgent(parts: Parts, organization: Organization, agent: Agent): SeenAgent {
  if (agent.remote !== true) return seeSlot(parts.engine, organization, agent);
  const present = parts.engine.agents.find(agent.id);
  const record = present?.agent ?? parts.store.agents.byId(agent.id);
  // A removed agent has no record. Only the jobs that it ran still contain its name.
  if (record === undefined) return { ...unknownAgent, agent, connection: 'disconnected' };
  const { jobId = null, lastSeenAt = null } = present ?? {};
  return { ...record, agent, connection: connectionOf(record), jobId, lastSeenAt };
}

function connectionOf({ state, stop }: RemoteAgent): Connection {
  if (state === 'connected') return stop === null ? 'connected' : 'stopping';
  return state === 'registered' ? 'never_connected' : state;
}

function seeSlot(
  { slots, slotTags }: ServiceContext['engine'],
  { id }: Organization,
  agent: Agent,
): SeenAgent {
  const slot = slots.find((one) => one.agent.id === agent.id);
  return {
    ...unknownAgent,
    ...{ agent, hostname: 'localhost', ip: '127.0.0.1', version: slotVersion },
    ...{ userAgent: `cictl/${slotVersion}`, tags: slotTags, connectedAt: agent.createdAt },
    connection: slot === undefined ? 'disconnected' : 'connected',
    // Jobs of other organizations are not shown.
    jobId: slot?.organizationId === id ? slot.jobId : null,
  };
}

/** The version that slots report; no real agent has this version. */
const slotVersion = '1.0.0';

const unknownAgent = {
  ...{ hostname: '', os: '', ip: '', userAgent: '', version: '', pid: null, tags: [] },
  ...{ priority: null, pause: null, jobId: null },
  ...{ connectedAt: null, disconnectedAt: null, lostAt: null, lastSeenAt: null },
} as const;

/** `perform` returns whether the agent was connected. If it was not, throws `ApiError` 400. */
export function changeAgent(
  { engine }: Pick<ServiceContext, 'engine'>,
  { agent, connection }: SeenAgent,
  verb: string,
  perform: (agents: ServiceContext['engine']['agents'], id: string) => boolean,
): void {
  if (agent.remote !== true)
    throw badRequest(`${agent.name} is one of the service's own slots; it cannot be changed`);
  const isThere = connection === 'connected' || connection === 'stopping';
  if (!isThere || !perform(engine.agents, agent.id))
    throw badRequest(`Can only ${verb} connected agents`);
}

export function readStop(body: unknown): { readonly force: boolean } {
  const members = bodyReader(body);
  const force = objectOf(body)['force'] === undefined || members.flag('force');
  members.done();
  return { force };
}

/** `minutes` defaults to 5. The maximum is 7 days. Throws `ApiError`. */
export function readPause(body: unknown): { readonly note: string; readonly minutes: number } {
  const members = bodyReader(body);
  const note = members.text('note') ?? '';
  const field = 'timeout_in_minutes';
  const minutes = members.integer(field) ?? 5;
  if (minutes < 1 || minutes > most)
    members.reject(field, `${field} must be between 1 and ${most}`);
  if (note.length > longestNote) members.reject('note', undefined, 'too_long');
  members.done();
  return { note, minutes };
}

const most = 10_080;
const longestNote = 1000;
