/** Counts of agents and jobs (specification, "Metrics"). */
import type { JobState } from './records.ts';

/** Jobs that agents take, of one queue and one state. */
export interface QueueCount {
  readonly queue: string;
  readonly state: JobState;
  readonly n: number;
}

export interface AgentCounts {
  readonly idle: number;
  readonly busy: number;
  readonly total: number;
}

export interface JobCounts {
  readonly scheduled: number;
  readonly running: number;
  readonly waiting: number;
  readonly total: number;
}

interface Queues<T> {
  readonly queues: Readonly<Record<string, T>>;
}

export interface Counted {
  readonly agents: AgentCounts & Queues<AgentCounts>;
  readonly jobs: JobCounts & Queues<JobCounts>;
}

/** All agents of this machine serve the queue `default`; a job may ask for one that nobody serves. */
export function countMetrics(
  { idle, busy }: { readonly idle: number; readonly busy: number },
  jobs: readonly QueueCount[],
): Counted {
  const agents = { idle, busy, total: idle + busy };
  const names = new Set(['default', ...jobs.map(({ queue }) => queue)]);
  const queues = [...names].map((name): [string, JobCounts] => [
    name,
    countJobs(jobs.filter(({ queue }) => queue === name)),
  ]);
  return {
    agents: { ...agents, queues: { default: agents } },
    jobs: { ...countJobs(jobs), queues: Object.fromEntries(queues) },
  };
}

function countJobs(jobs: readonly QueueCount[]): JobCounts {
  const count = (...states: JobState[]): number =>
    jobs.filter(({ state }) => states.includes(state)).reduce((sum, { n }) => sum + n, 0);
  const scheduled = count('scheduled');
  const running = count('accepted', 'running', 'timing_out', 'canceling');
  const waiting = count('waiting', 'limited');
  return { scheduled, running, waiting, total: scheduled + running + waiting };
}
