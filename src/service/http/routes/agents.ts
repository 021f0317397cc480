/** Beyond the specification: the agents of an organization. */
import type { ServiceContext } from '../../service-context.ts';
import type { Organization } from '../../domain/records.ts';
import { findAgent, slotAgents, type SeenAgent } from '../agents.ts';
import { json } from '../response.ts';
import { notFound } from '../api-error.ts';
import { findOrganization } from '../lookups.ts';
import { pageOf } from '../pages.ts';
import { agentHost, agentVersion, presentAgent } from '../present/agent.ts';
import { presentJob } from '../present/job.ts';
import { isoOrNull } from '../present/scalars.ts';
import { route, type Route } from '../route.ts';

const ofOrganization = '/v2/organizations/:org/agents';

export const agentRoutes: readonly Route[] = [
  route('GET', ofOrganization, 'read_agents', (call, service) => {
    const organization = findOrganization(service, call);
    const is = (name: string, value: string): boolean => (call.query.get(name) || value) === value;
    const found = slotAgents(service, organization).filter(
      ({ agent }) =>
        is('name', agent.name) && is('hostname', agentHost) && is('version', agentVersion),
    );
    return pageOf(call, found, (agent) => present(service, organization, agent));
  }),
  route('GET', `${ofOrganization}/:agent`, 'read_agents', (call, service) => {
    const organization = findOrganization(service, call);
    const agent = findAgent(service, organization, call.params.agent);
    if (agent === undefined) throw notFound('agent');
    return json(present(service, organization, agent));
  }),
];

const present = (
  service: ServiceContext,
  organization: Organization,
  { agent, jobId }: SeenAgent,
): object => ({
  ...presentAgent(service, organization, agent),
  job: jobId === null ? null : jobOf(service, organization, jobId),
  last_job_finished_at: isoOrNull(service.store.builds.lastFinishedAt(agent.id)),
  priority: null,
  meta_data: ['queue=default'],
  paused: false,
});

/** Without the agent, which is what it is a member of. */
function jobOf(service: ServiceContext, organization: Organization, jobId: string): object | null {
  const { builds, pipelines } = service.store;
  const tree = builds.tree(builds.job(jobId)?.buildId ?? '');
  const job = tree?.jobs.find(({ id }) => id === jobId);
  const pipeline = tree && pipelines.byId(tree.build.pipelineId);
  if (tree === undefined || job === undefined || pipeline === undefined) return null;
  const shown = presentJob(service, { organization, pipeline }, tree, job, { single: true });
  return { ...shown, agent: null };
}
