// Specification, "Metrics".
import type { ServiceContext } from '../../service-context.ts';
import type { Organization } from '../../domain/records.ts';
import { connectedAgents } from '../agents.ts';
import { countMetrics } from '../../domain/metrics.ts';
import { json } from '../response.ts';
import { notFound } from '../api-error.ts';
import { route, type Caller, type Route } from '../route.ts';

/** Seconds. */
const pollDuration = { 'buildkite-agent-metrics-poll-duration': '10' };
export const metricsRoutes: readonly Route[] = [
  route('GET', '/v3/metrics', { audience: 'agent' }, ({ caller }, service) => {
    const organization = organizationOf(service, caller);
    const counted = metricsOf(service, organization);
    return json({ ...counted, organization: { slug: organization.slug } }, 200, pollDuration);
  }),
  route('GET', '/v3/metrics/queue', { audience: 'agent' }, ({ caller, query }, service) => {
    const organization = organizationOf(service, caller);
    const { agents, jobs } = metricsOf(service, organization);
    const name = query.get('name') ?? 'default';
    const none = { idle: 0, busy: 0, total: 0, scheduled: 0, running: 0, waiting: 0 };
    const { idle, busy, total } = agents.queues[name] ?? none;
    const { scheduled, running, waiting, total: unfinished } = jobs.queues[name] ?? none;
    const body = {
      agents: { idle, busy, total },
      jobs: { scheduled, running, waiting, total: unfinished },
      organization: { slug: organization.slug },
    };
    return json(body, 200, pollDuration);
  }),
];

function organizationOf({ store }: ServiceContext, { token }: Caller): Organization {
  const organization = store.accounts.organizationById(token.organizationIds[0] ?? '');
  if (organization === undefined) throw notFound('organization');
  return organization;
}

function metricsOf(service: ServiceContext, organization: Organization) {
  const { store, engine } = service;
  const elsewhere = engine.slots.filter(
    (slot) => slot.jobId !== null && slot.organizationId !== organization.id,
  );
  const hidden = new Set(elsewhere.map(({ agent }) => agent.id));
  const agents = connectedAgents(service, organization)
    .filter(({ agent }) => !hidden.has(agent.id))
    .map(({ tags, jobId }) => ({ queue: queueOf(tags), isBusy: jobId !== null }));
  return countMetrics(agents, store.builds.queueCounts(organization.id));
}

const queueOf = (tags: readonly string[]): string =>
  tags.find((tag) => tag.startsWith('queue='))?.slice('queue='.length) ?? 'default';
