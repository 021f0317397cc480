import type { Metrics } from '../../api/resources/metrics.ts';

/** Gauges by name, for the whole organization and for each queue. */
export interface Counts {
  /** Empty where none is known. */
  readonly cluster: string;
  readonly totals: Gauges;
  readonly queues: ReadonlyMap<string, Gauges>;
}

export type Gauges = ReadonlyMap<string, number>;

/**
 * Metrics under the names of the public exporter buildkite-agent-metrics, so that its dashboards
 * and alarms work: every gauge is there and 0 where nothing is counted. Of `asked` queues, whether
 * the service knows them or not, it returns only those and no totals; without any, all queues and
 * totals.
 */
export function countsOf(metrics: Metrics, asked: readonly string[]): Counts {
  const { agents, jobs, cluster } = metrics;
  const names = asked.length > 0 ? [...new Set(asked)].sort() : queueNames(metrics);
  const queues = names.map((name): [string, Gauges] => [
    name,
    gauges(own(jobs?.queues, name), own(agents?.queues, name)),
  ]);
  const totals = asked.length > 0 ? new Map<string, number>() : gauges(jobs, agents);
  return { cluster: cluster?.name ?? '', totals, queues: new Map(queues) };
}

/** All queues that a service counts agents or jobs of. */
export const queueNames = ({ agents, jobs }: Metrics): string[] =>
  [...new Set([...Object.keys(agents?.queues ?? {}), ...Object.keys(jobs?.queues ?? {})])].sort();

/** A queue may have any name, `constructor` too. */
export const own = <T>(
  queues: Readonly<Record<string, T>> | null | undefined,
  name: string,
): T | undefined => (queues && Object.hasOwn(queues, name) ? queues[name] : undefined);

type Jobs = Omit<NonNullable<Metrics['jobs']>, 'queues'>;
type Agents = Omit<NonNullable<Metrics['agents']>, 'queues'>;

function gauges(jobs: Jobs | null | undefined, agents: Agents | null | undefined): Gauges {
  const { scheduled, running, waiting, total: unfinished } = jobs ?? {};
  const { idle, busy, total } = agents ?? {};
  return new Map([
    ['ScheduledJobsCount', scheduled ?? 0],
    ['RunningJobsCount', running ?? 0],
    ['WaitingJobsCount', waiting ?? 0],
    ['UnfinishedJobsCount', unfinished ?? 0],
    ['IdleAgentCount', idle ?? 0],
    ['BusyAgentCount', busy ?? 0],
    ['TotalAgentCount', total ?? 0],
    ['BusyAgentPercentage', total ? Math.floor((100 * (busy ?? 0)) / total) : 0],
  ]);
}
