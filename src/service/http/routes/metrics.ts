// See "Metrics" in the specification.
import type { ServiceContext } from '../../service-context.ts';
import { connectedAgents } from '../agents.ts';
import { countMetrics } from '../../domain/metrics.ts';
import { json } from '../response.ts';
import { notFound } from '../api-error.ts';
import { route, type Caller, type Route } from '../route.ts';

/** Seconds. */
const pollDuration = { 'buildkite-agent-metrics-poll-duration': '10' };
export const metricsRoutes: readonly Route[] = [
  route('GET', '/v3/metrics', { audience: 'agent' }, ({ caller }, service) =>
    json(metricsOf(service, caller), 200, pollDuration),
  ),
  route('GET', '/v3/metrics/queue', { audience: 'agent' }, ({ caller, query }, service) => {
    const { agents, jobs, organization } = metricsOf(service, caller);
    const name = query.get('name') ?? 'default';
    const none = { idle: 0, busy: 0, total: 0, scheduled: 0, running: 0, waiting: 0 };
    const { idle, busy, total } = agents.queues[name] ?? none;
    const { scheduled, running, waiting, total: unfinished } = jobs.queues[name] ?? none;
    const counted = { scheduled, running, waiting, total: unfinished };
    return json({ agents: { idle, busy, total }, jobs: counted, organization }, 200, pollDuration);
  }),
];

function metricsOf({ store, engine }: ServiceContext, { token }: Caller) {
  const organization = store.accounts.organizationById(token.organizationIds[0] ?? '');
  if (organization === undefined) throw notFound('organization');
  const busyElsewhere = new Set(
    engine.slots
      .filter(({ jobId, organizationId }) => jobId !== null && organizationId !== organization.id)
      .map(({ agent }) => agent.id),
  );
  const agents = connectedAgents({ store, engine }, organization)
    .filter(({ agent }) => !busyElsewhere.has(agent.id))
    .map(({ tags, jobId }) => ({ queue: queueOf(tags), isBusy: jobId !== null }));
  const counted = countMetrics(agents, store.builds.queueCounts(organization.id));
  return { ...counted, organization: { slug: organization.slug } };
}

const queueOf = (tags: readonly string[]): string =>
  tags.find((tag) => tag.startsWith('queue='))?.slice('queue='.length) ?? 'default';
