/** Lists of jobs. */
import type { JobType } from '../../domain/records.ts';
import type { JobFilters } from '../../store/job-filters.ts';
import type { JobKey, JobOrder } from '../../store/job-lists.ts';
import { nothing, type Connection, type PageArguments } from '../connection.ts';
import { instant } from '../instant.ts';
import { storedConnection } from '../stored-connection.ts';
import { treeSeen, type GraphqlContext } from '../context.ts';
import { jobNode } from './job.ts';
import { statesOf } from './job-state.ts';

export interface JobArguments extends PageArguments {
  readonly type?: readonly string[] | null;
  readonly state?: readonly string[] | null;
  readonly passed?: boolean | null;
  readonly step?: { readonly key?: readonly string[] | null } | null;
  readonly agentQueryRules?: readonly string[] | null;
  readonly concurrency?: { readonly group?: readonly string[] | null } | null;
  readonly priority?: { readonly number?: readonly number[] | null } | null;
  readonly order?: 'RECENTLY_ASSIGNED' | 'RECENTLY_CREATED' | null;
  readonly cluster?: string | null;
  readonly clusterQueue?: readonly string[] | null;
  readonly createdAtFrom?: string | null;
  readonly createdAtTo?: string | null;
  readonly finishedAt?: string | null;
  readonly includeRetried?: boolean | null;
}

/** Jobs of one build as its steps stand, others the newest first. */
export function jobsOf(
  viewpoint: GraphqlContext,
  scope: JobFilters,
  given: JobArguments,
): Connection {
  if (asksForAbsent(given)) return nothing();
  const { builds, jobs } = viewpoint.core.store;
  const filters = { ...filtersOf(given), ...scope };
  const order = orderOf(scope, given);
  return storedConnection(
    {
      window: (window) => jobs.window(filters, order, window),
      count: () => jobs.count(filters),
      idOf: ({ id }) => id,
      isKnown: (id) => builds.job(id) !== undefined,
      node: (key) => find(viewpoint, key),
    },
    given,
  );
}

function orderOf({ buildId }: JobFilters, { order }: JobArguments): JobOrder {
  if (order === 'RECENTLY_ASSIGNED') return 'started';
  return buildId === undefined ? 'created' : 'steps';
}

function find(viewpoint: GraphqlContext, { id, buildId }: JobKey): object | null {
  const tree = treeSeen(viewpoint, buildId);
  const job = tree?.jobs.find((one) => one.id === id);
  return tree && job ? jobNode(viewpoint, tree, job) : null;
}

/** No job belongs to a cluster or concurrency group, or has another priority than 0. */
const asksForAbsent = ({ cluster, clusterQueue, concurrency, priority }: JobArguments): boolean =>
  Boolean(cluster) ||
  (clusterQueue ?? []).length > 0 ||
  (concurrency?.group ?? []).length > 0 ||
  priority?.number?.includes(0) === false;

const types: Readonly<Record<string, JobType>> = {
  COMMAND: 'script',
  WAIT: 'waiter',
  BLOCK: 'manual',
  TRIGGER: 'trigger',
};

const day = 86_400_000;

function filtersOf(given: JobArguments): JobFilters {
  const createdFrom = instant(given.createdAtFrom);
  const createdTo = instant(given.createdAtTo);
  const finished = instant(given.finishedAt?.slice(0, 10));
  return {
    ...(given.type && { types: given.type.flatMap((type) => types[type] ?? []) }),
    ...(given.state && { states: given.state.flatMap(statesOf) }),
    ...(typeof given.passed === 'boolean' && { passed: given.passed }),
    ...(given.step?.key && { stepKeys: given.step.key }),
    ...(given.agentQueryRules && { agentQueryRules: given.agentQueryRules }),
    ...(given.includeRetried === false && { current: true }),
    ...(createdFrom !== undefined && { createdFrom }),
    ...(createdTo !== undefined && { createdTo }),
    ...(finished !== undefined && { finishedFrom: finished, finishedTo: finished + day }),
  };
}
