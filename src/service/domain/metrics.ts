/** Counts of agents and jobs (specification, "Metrics"). */
import type { JobState } from './records.ts';

export interface QueueCount {
  readonly queue: string;
  readonly state: JobState;
  readonly n: number;
}

interface CountedAgent {
  readonly queue: string;
  readonly isBusy: boolean;
}

/** The `default` queue is always included. Jobs may be in queues that no agent serves. */
export function countMetrics(agents: readonly CountedAgent[], jobs: readonly QueueCount[]) {
  const byQueue = <T extends { readonly queue: string }, C>(
    all: readonly T[],
    count: (some: readonly T[]) => C,
  ) => ({
    ...count(all),
    queues: Object.fromEntries(
      [...new Set(['default', ...all.map(({ queue }) => queue)])].map((name) => [
        name,
        count(all.filter(({ queue }) => queue === name)),
      ]),
    ),
  });
  return { agents: byQueue(agents, countAgents), jobs: byQueue(jobs, countJobs) };
}

function countAgents(agents: readonly CountedAgent[]) {
  const busy = agents.filter(({ isBusy }) => isBusy).length;
  return { idle: agents.length - busy, busy, total: agents.length };
}

function countJobs(jobs: readonly QueueCount[]) {
  const count = (...states: JobState[]): number =>
    jobs.filter(({ state }) => states.includes(state)).reduce((sum, { n }) => sum + n, 0);
  const scheduled = count('scheduled');
  const running = count('accepted', 'running', 'timing_out', 'canceling');
  const waiting = count('waiting', 'limited');
  return { scheduled, running, waiting, total: scheduled + running + waiting };
}
