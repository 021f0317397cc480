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

/** An agent, by what its tags say. */
export interface CountedAgent {
  readonly queue: string;
  readonly isBusy: boolean;
}

/** `default` is always there; a job may ask for a queue that nobody serves. */
export function countMetrics(
  agents: readonly CountedAgent[],
  jobs: readonly QueueCount[],
): Counted {
  const served = new Set(['default', ...agents.map(({ queue }) => queue)]);
  const names = new Set(['default', ...jobs.map(({ queue }) => queue)]);
  const queues = [...names].map((name): [string, JobCounts] => [
    name,
    countJobs(jobs.filter(({ queue }) => queue === name)),
  ]);
  return {
    agents: {
      ...countAgents(agents),
      queues: Object.fromEntries(
        [...served].map((name) => [name, countAgents(agents.filter((one) => one.queue === name))]),
      ),
    },
    jobs: { ...countJobs(jobs), queues: Object.fromEntries(queues) },
  };
}

function countAgents(agents: readonly CountedAgent[]): AgentCounts {
  const busy = agents.filter(({ isBusy }) => isBusy).length;
  return { idle: agents.length - busy, busy, total: agents.length };
}

function countJobs(jobs: readonly QueueCount[]): JobCounts {
  const count = (...states: JobState[]): number =>
    jobs.filter(({ state }) => states.includes(state)).reduce((sum, { n }) => sum + n, 0);
  const scheduled = count('scheduled');
  const running = count('accepted', 'running', 'timing_out', 'canceling');
  const waiting = count('waiting', 'limited');
  return { scheduled, running, waiting, total: scheduled + running + waiting };
}
