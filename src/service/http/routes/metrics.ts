/** Specification, "Metrics": from the slots and jobs of this machine. */
import type { ServiceContext } from '../../service-context.ts';
import type { Organization } from '../../domain/records.ts';
import { countMetrics } from '../../domain/metrics.ts';
import { json } from '../response.ts';
import { notFound } from '../api-error.ts';
import { route, type Caller, type Route } from '../route.ts';

/** Seconds that a client waits between two looks. */
const pollDuration = { 'buildkite-agent-metrics-poll-duration': '10' };
const agents = { audience: 'agent' } as const;

export const metricsRoutes: readonly Route[] = [
  route(
    'GET',
    '/v3/metrics',
    null,
    ({ caller }, service) => {
      const organization = organizationOf(service, caller);
      const counted = metricsOf(service, organization);
      return json({ ...counted, organization: { slug: organization.slug } }, 200, pollDuration);
    },
    agents,
  ),
  route(
    'GET',
    '/v3/metrics/queue',
    null,
    ({ caller, query }, service) => {
      const organization = organizationOf(service, caller);
      const { agents, jobs } = metricsOf(service, organization);
      const name = query.get('name') ?? 'default';
      const none = { idle: 0, busy: 0, total: 0, scheduled: 0, running: 0, waiting: 0 };
      const { idle, busy, total } = agents.queues[name] ?? none;
      const { scheduled, running, waiting, total: unfinished } = jobs.queues[name] ?? none;
      const slug = organization.slug;
      return json(
        {
          agents: { idle, busy, total },
          jobs: { scheduled, running, waiting, total: unfinished },
          organization: { slug },
        },
        200,
        pollDuration,
      );
    },
    agents,
  ),
];

function organizationOf({ store }: ServiceContext, { token }: Caller): Organization {
  const organization = store.accounts.organizationById(token.organizationIds[0] ?? '');
  if (organization === undefined) throw notFound('organization');
  return organization;
}

function metricsOf({ store, engine }: ServiceContext, { id }: Organization) {
  const busy = engine.slots.filter(({ organizationId }) => organizationId === id).length;
  const idle = engine.slots.filter(({ jobId }) => jobId === null).length;
  return countMetrics({ idle, busy }, store.builds.queueCounts(id));
}
