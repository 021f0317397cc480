/** Lists of jobs. */
import { findJob } from '../../domain/find-job.ts';
import type { JobType } from '../../domain/records.ts';
import type { JobFilters } from '../../store/job-filters.ts';
import type { JobKey, JobOrder } from '../../store/job-lists.ts';
import { nothing, type Connection, type PageArguments } from '../connection.ts';
import { instant } from '../instant.ts';
import { scanJobs } from '../scan-jobs.ts';
import { storedConnection } from '../stored-connection.ts';
import { visibleTree, type GraphqlContext } from '../context.ts';
import { jobNode } from './job.ts';
import { jobStatesOf } from './job-state.ts';

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
  context: GraphqlContext,
  scope: JobFilters,
  args: JobArguments,
): Promise<Connection> | Connection {
  if (asksForAbsent(args)) return nothing();
  const { builds, jobs } = context.service.store;
  const filters = { ...filtersOf(args), ...scope };
  const order = orderOf(scope, args);
  const scan =
    scope.buildId === undefined
      ? scanJobs(jobs, filters, context.turns, order === 'started' ? 'started' : 'created')
      : undefined;
  return storedConnection(
    {
      window: (window) => {
        context.turns.count(windowWeight);
        return scan?.window(window) ?? jobs.window(filters, order, window);
      },
      count: () => scan?.count() ?? jobs.count(filters),
      idOf: ({ id }) => id,
      isKnown: (id) => builds.job(id) !== undefined,
      node: (key) => find(context, key),
    },
    args,
  );
}

/** Fields that the search for one piece costs as much as. */
const windowWeight = 100;

function orderOf({ buildId }: JobFilters, { order }: JobArguments): JobOrder {
  if (order === 'RECENTLY_ASSIGNED') return 'started';
  return buildId === undefined ? 'created' : 'steps';
}

function find(context: GraphqlContext, { id, buildId }: JobKey): object | null {
  const tree = visibleTree(context, buildId);
  const job = tree && findJob(tree, id);
  return tree && job ? jobNode(context, tree, job) : null;
}

/** No job belongs to a cluster. */
const asksForAbsent = ({ cluster, clusterQueue }: JobArguments): boolean =>
  Boolean(cluster) || (clusterQueue ?? []).length > 0;

const types: Readonly<Record<string, JobType>> = {
  COMMAND: 'script',
  WAIT: 'waiter',
  BLOCK: 'manual',
  TRIGGER: 'trigger',
};

const day = 86_400_000;

function filtersOf(args: JobArguments): JobFilters {
  const createdFrom = instant(args.createdAtFrom);
  const createdTo = instant(args.createdAtTo);
  const finished = instant(args.finishedAt?.slice(0, 10));
  return {
    ...(args.type && { types: args.type.flatMap((type) => types[type] ?? []) }),
    ...(args.state && { states: args.state.flatMap(jobStatesOf) }),
    ...(typeof args.passed === 'boolean' && { passed: args.passed }),
    ...(args.step?.key && { stepKeys: args.step.key }),
    ...(args.agentQueryRules && { agentQueryRules: args.agentQueryRules }),
    ...(args.concurrency?.group && { concurrencyGroups: args.concurrency.group }),
    ...(args.priority?.number && { priorities: args.priority.number }),
    ...(args.includeRetried === false && { current: true }),
    ...(createdFrom !== undefined && { createdFrom }),
    ...(createdTo !== undefined && { createdTo }),
    ...(finished !== undefined && { finishedFrom: finished, finishedTo: finished + day }),
  };
}
