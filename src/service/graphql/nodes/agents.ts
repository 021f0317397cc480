/** Agents: the slots of this machine, and those that jobs had before the service was started anew. */
import type { Agent, Organization } from '../../domain/records.ts';
import { findAgent as agentOf } from '../../http/agents.ts';
import { agentHost, agentVersion } from '../../http/present/agent.ts';
import { graphqlId, iso } from '../../http/present/format.ts';
import { connection, nothing, type Connection, type PageArguments } from '../connection.ts';
import { organizationSeen, organizationsSeen, treeSeen, type GraphqlContext } from '../context.ts';

export interface AgentArguments extends PageArguments {
  readonly search?: string | null;
  readonly metaData?: readonly string[] | null;
  readonly isRunningJob?: boolean | null;
  readonly paused?: boolean | null;
  readonly cluster?: string | null;
  readonly clusterQueue?: readonly string[] | null;
}

const metaData = ['queue=default'];

/** All organizations have the same agents: those of this machine. */
export function agentsOf(
  viewpoint: GraphqlContext,
  organization: Organization,
  given: AgentArguments,
): Connection {
  const { cluster, clusterQueue, paused } = given;
  if (cluster || (clusterQueue ?? []).length > 0 || paused === true) return nothing();
  const search = (given.search ?? '').toLowerCase();
  const found = viewpoint.core.engine.slots
    .filter(({ jobId }) => (given.isRunningJob ?? jobId !== null) === (jobId !== null))
    .filter(() => (given.metaData ?? []).every((one) => metaData.includes(one)))
    .filter(({ agent }) => [agent.name, ...metaData].join(' ').toLowerCase().includes(search));
  return connection(
    found.map(({ agent }) => agent),
    given,
    ({ id }) => id,
    (agent) => agentNode(viewpoint, organization.id, agent),
  );
}

/** A slot or, of an earlier run of the service, what had a job that the caller may see. */
export function findAgent(viewpoint: GraphqlContext, uuid: string): object | null {
  for (const organization of organizationsSeen(viewpoint)) {
    const found = agentOf(viewpoint.core, organization, uuid);
    if (found !== undefined) return agentNode(viewpoint, organization.id, found.agent);
  }
  return null;
}

export function agentNode(viewpoint: GraphqlContext, organizationId: string, agent: Agent): object {
  const slot = viewpoint.core.engine.slots.find((one) => one.agent.id === agent.id);
  const organization = organizationSeen(viewpoint, organizationId);
  const connectedAt = iso(agent.createdAt);
  return {
    __typename: 'Agent',
    id: graphqlId('Agent', agent.id),
    uuid: agent.id,
    name: agent.name,
    hostname: agentHost,
    ipAddress: '127.0.0.1',
    userAgent: `cictl/${agentVersion}`,
    version: agentVersion,
    versionHasKnownIssues: false,
    isDeprecated: false,
    metaData,
    public: false,
    connectionState: slot === undefined ? 'disconnected' : 'connected',
    connectedAt,
    createdAt: connectedAt,
    isRunningJob: (slot?.jobId ?? null) !== null,
    job: () => runningJob(viewpoint, slot?.jobId ?? null),
    organization: () => organization && viewpoint.nodes.organization(viewpoint, organization),
    paused: false,
    pausedTimeoutInMinutes: 0,
  };
}

/** Null also where the job is of an organization that the caller does not see. */
function runningJob(viewpoint: GraphqlContext, jobId: string | null): object | null {
  const placed = jobId === null ? undefined : viewpoint.core.store.builds.job(jobId);
  const tree = placed && treeSeen(viewpoint, placed.buildId);
  return tree ? viewpoint.nodes.job(viewpoint, tree, placed.job) : null;
}
