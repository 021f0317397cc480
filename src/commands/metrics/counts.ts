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
 * work. A queue that is among the jobs and not among the agents has the gauges of the jobs alone.
 */
export function countsOf({ agents, jobs, cluster }: Metrics): Counts {
  const names = new Set([...Object.keys(jobs?.queues ?? {}), ...Object.keys(agents?.queues ?? {})]);
  const queues = [...names]
    .sort()
    .map((name): [string, Gauges] => [name, gauges(jobs?.queues?.[name], agents?.queues?.[name])]);
  return { cluster: cluster?.name ?? '', totals: gauges(jobs, agents), queues: new Map(queues) };
}

type Jobs = NonNullable<Metrics['jobs']>;
type Agents = NonNullable<Metrics['agents']>;

function gauges(
  jobs: Omit<Jobs, 'queues'> | null | undefined,
  agents: Omit<Agents, 'queues'> | null | undefined,
): Gauges {
  return new Map([...(jobs ? jobGauges(jobs) : []), ...(agents ? agentGauges(agents) : [])]);
}

const jobGauges = ({ scheduled, running, waiting, total }: Omit<Jobs, 'queues'>) =>
  [
    ['ScheduledJobsCount', scheduled ?? 0],
    ['RunningJobsCount', running ?? 0],
    ['WaitingJobsCount', waiting ?? 0],
    ['UnfinishedJobsCount', total ?? 0],
  ] as const;

const agentGauges = ({ idle, busy, total }: Omit<Agents, 'queues'>) =>
  [
    ['IdleAgentCount', idle ?? 0],
    ['BusyAgentCount', busy ?? 0],
    ['TotalAgentCount', total ?? 0],
    ['BusyAgentPercentage', total ? Math.floor((100 * (busy ?? 0)) / total) : 0],
  ] as const;
