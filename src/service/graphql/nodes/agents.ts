/** Agents: the slots of this machine, and those that jobs had before the service was started anew. */
import type { Agent, Organization } from '../../domain/records.ts';
import { findAgent as agentOf } from '../../http/agents.ts';
import { agentHost, agentVersion } from '../../http/present/agent.ts';
import { graphqlId, iso } from '../../http/present/scalars.ts';
import { connection, nothing, type Connection, type PageArguments } from '../connection.ts';
import {
  visibleOrganization,
  visibleOrganizations,
  visibleTree,
  type GraphqlContext,
} from '../context.ts';

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
  context: GraphqlContext,
  organization: Organization,
  args: AgentArguments,
): Connection {
  const { cluster, clusterQueue, paused } = args;
  if (cluster || (clusterQueue ?? []).length > 0 || paused === true) return nothing();
  const search = (args.search ?? '').toLowerCase();
  const found = context.service.engine.slots
    .filter(({ jobId }) => (args.isRunningJob ?? jobId !== null) === (jobId !== null))
    .filter(() => (args.metaData ?? []).every((one) => metaData.includes(one)))
    .filter(({ agent }) => [agent.name, ...metaData].join(' ').toLowerCase().includes(search));
  return connection(
    found.map(({ agent }) => agent),
    args,
    ({ id }) => id,
    (agent) => agentNode(context, organization.id, agent),
  );
}

/** A slot or, of an earlier run of the service, what had a job that the caller may see. */
export function findAgent(context: GraphqlContext, uuid: string): object | null {
  for (const organization of visibleOrganizations(context)) {
    const found = agentOf(context.service, organization, uuid);
    if (found !== undefined) return agentNode(context, organization.id, found.agent);
  }
  return null;
}

export function agentNode(context: GraphqlContext, organizationId: string, agent: Agent): object {
  const slot = context.service.engine.slots.find((one) => one.agent.id === agent.id);
  const organization = visibleOrganization(context, organizationId);
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
    job: () => runningJob(context, slot?.jobId ?? null),
    organization: () => organization && context.nodes.organization(context, organization),
    paused: false,
    pausedTimeoutInMinutes: 0,
  };
}

/** Null also where the job is of an organization that the caller does not see. */
function runningJob(context: GraphqlContext, jobId: string | null): object | null {
  const jobOfBuild = jobId === null ? undefined : context.service.store.builds.job(jobId);
  const tree = jobOfBuild && visibleTree(context, jobOfBuild.buildId);
  return tree ? context.nodes.job(context, tree, jobOfBuild.job) : null;
}
