// The public service's agents API, which is not in the specification.
import type { ServiceContext } from '../../service-context.ts';
import type { Organization } from '../../domain/records.ts';
import {
  connectedAgents,
  findAgent,
  type SeenAgent,
  readPause,
  readStop,
  changeAgent,
} from '../agents.ts';
import { empty, json } from '../response.ts';
import { notFound } from '../api-error.ts';
import { findOrganization } from '../lookups.ts';
import { pageOf } from '../paging.ts';
import { presentListedAgent } from '../present/agent.ts';
import { presentJob } from '../present/job.ts';
import { route, type Call, type Route } from '../route.ts';

const ofOrganization = '/v2/organizations/:org/agents';
const ofAgent = `${ofOrganization}/:agent` as const;

export const agentRoutes: readonly Route[] = [
  route('GET', ofOrganization, 'read_agents', (call, service) => {
    const organization = findOrganization(service, call);
    const is = (name: string, value: string): boolean => (call.query.get(name) || value) === value;
    const found = connectedAgents(service, organization).filter(
      ({ agent, hostname, version }) =>
        is('name', agent.name) && is('hostname', hostname) && is('version', version),
    );
    return pageOf(call, found, (seen) => present(service, organization, seen));
  }),
  route('GET', ofAgent, 'read_agents', (call, service) => {
    const organization = findOrganization(service, call);
    return json(present(service, organization, agentAt(service, organization, call)));
  }),
  route('PUT', `${ofAgent}/stop`, 'write_agents', async (call, service) => {
    const { force } = readStop(await call.body());
    return change(service, call, 'stop', (agents, id) => agents.stop(id, force));
  }),
  route('PUT', `${ofAgent}/pause`, 'write_agents', async (call, service) => {
    const { note, minutes } = readPause(await call.body());
    const until = service.clock.now() + minutes * 60_000;
    const byId = call.caller.user?.id ?? null;
    return change(service, call, 'pause', (agents, id) => agents.pause(id, note, until, byId));
  }),
  route('PUT', `${ofAgent}/resume`, 'write_agents', (call, service) =>
    change(service, call, 'resume', (agents, id) => agents.resume(id)),
  ),
];

type AgentCall = Call<'org' | 'agent'>;

function agentAt(service: ServiceContext, organization: Organization, call: AgentCall): SeenAgent {
  const seen = findAgent(service, organization, call.params.agent);
  if (seen === undefined) throw notFound('agent');
  return seen;
}

function change(
  service: ServiceContext,
  call: AgentCall,
  verb: string,
  perform: Parameters<typeof changeAgent>[3],
) {
  const seen = agentAt(service, findOrganization(service, call), call);
  changeAgent(service, seen, verb, perform);
  return empty();
}

function present(service: ServiceContext, organization: Organization, seen: SeenAgent): object {
  const job = seen.jobId === null ? null : jobOf(service, organization, seen.jobId);
  return presentListedAgent(service, organization, seen, job);
}

function jobOf(service: ServiceContext, organization: Organization, jobId: string): object | null {
  const { builds, pipelines } = service.store;
  const tree = builds.tree(builds.job(jobId)?.buildId ?? '');
  const job = tree?.jobs.find(({ id }) => id === jobId);
  const pipeline = tree && pipelines.byId(tree.build.pipelineId);
  if (tree === undefined || job === undefined || pipeline === undefined) return null;
  const shown = presentJob(service, { organization, pipeline }, tree, job, { single: true });
  return { ...shown, agent: null };
}
