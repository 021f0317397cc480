import type { Agent, Organization } from '../../domain/records.ts';
import {
  connectedAgents,
  findAgent as findSeenAgent,
  seeAgent,
  type SeenAgent,
} from '../../http/agents.ts';
import { graphqlId, iso, isoOrNull } from '../../http/present/scalars.ts';
import { connection, nothing, type Connection, type PageArguments } from '../connection.ts';
import {
  visibleJobNode,
  visibleOrganization,
  visibleOrganizationNode,
  visibleOrganizations,
  type GraphqlContext,
} from '../context.ts';
import { userNode } from './user.ts';

export interface AgentArguments extends PageArguments {
  readonly search?: string | null;
  readonly metaData?: readonly string[] | null;
  readonly isRunningJob?: boolean | null;
  readonly paused?: boolean | null;
  readonly cluster?: string | null;
  readonly clusterQueue?: readonly string[] | null;
}

/** Includes the service's own slots, which belong to every organization. */
export function agentsOf(
  context: GraphqlContext,
  organization: Organization,
  args: AgentArguments,
): Connection {
  const { cluster, clusterQueue } = args;
  if (cluster || (clusterQueue ?? []).length > 0) return nothing();
  return connection(
    connectedAgents(context.service, organization).filter(filterOf(args)),
    args,
    ({ agent }) => agent.id,
    (seen) => seenAgentNode(context, organization.id, seen),
  );
}

function filterOf({ search, metaData, isRunningJob, paused }: AgentArguments) {
  const text = (search ?? '').toLowerCase();
  return ({ agent, tags, jobId, pause }: SeenAgent): boolean =>
    (isRunningJob ?? jobId !== null) === (jobId !== null) &&
    (paused ?? pause !== null) === (pause !== null) &&
    (metaData ?? []).every((one) => tags.includes(one)) &&
    [agent.name, ...tags].join(' ').toLowerCase().includes(text);
}

export function findAgent(context: GraphqlContext, uuid: string): object | undefined {
  for (const organization of visibleOrganizations(context)) {
    const found = findSeenAgent(context.service, organization, uuid);
    if (found !== undefined) return seenAgentNode(context, organization.id, found);
  }
  return undefined;
}

export function agentNode(
  context: GraphqlContext,
  organizationId: string,
  agent: Agent,
): object | undefined {
  const organization = visibleOrganization(context, organizationId);
  return (
    organization &&
    seenAgentNode(context, organizationId, seeAgent(context.service, organization, agent))
  );
}

function seenAgentNode(context: GraphqlContext, organizationId: string, seen: SeenAgent): object {
  const { agent, jobId } = seen;
  return {
    __typename: 'Agent',
    id: graphqlId('Agent', agent.id),
    uuid: agent.id,
    name: agent.name,
    hostname: seen.hostname,
    ipAddress: seen.ip,
    pid: seen.pid === null ? null : String(seen.pid),
    userAgent: seen.userAgent,
    version: seen.version,
    versionHasKnownIssues: false,
    isDeprecated: false,
    operatingSystem: seen.os === '' ? null : { name: systemName(seen.os) },
    metaData: seen.tags,
    priority: seen.priority,
    public: false,
    connectionState: seen.connection,
    connectedAt: isoOrNull(seen.connectedAt),
    createdAt: iso(agent.createdAt),
    disconnectedAt: isoOrNull(seen.disconnectedAt),
    heartbeatAt: isoOrNull(seen.lastSeenAt),
    lostAt: isoOrNull(seen.lostAt),
    isRunningJob: jobId !== null,
    job: () => runningJob(context, jobId),
    organization: () => visibleOrganizationNode(context, organizationId),
    ...pauseMembers(context, seen),
  };
}

function pauseMembers(context: GraphqlContext, { pause }: SeenAgent): object {
  if (pause === null) return { paused: false, pausedTimeoutInMinutes: 0 };
  const { at, note, until, byId } = pause;
  return {
    paused: true,
    pausedAt: iso(at),
    pausedBy: () => userNode(context, byId),
    pausedNote: note,
    pausedTimeoutInMinutes: until === null ? 0 : Math.round((until - at) / 60_000),
  };
}

/** Agents on Linux send the contents of `/etc/os-release`. */
const systemName = (os: string): string => /^PRETTY_NAME="?([^"\n]*)/m.exec(os)?.[1] ?? os;

/** Returns undefined if no job is running or the caller cannot see the job's organization. */
function runningJob(context: GraphqlContext, jobId: string | null): object | undefined {
  const found = jobId === null ? undefined : context.service.store.builds.job(jobId);
  return found && visibleJobNode(context, found.buildId, found.job.id);
}
