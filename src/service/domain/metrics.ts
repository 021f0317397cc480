/** Counts of agents and jobs (specification, "Metrics"). */
import type { Job } from './records.ts';

export interface QueuedJob {
  readonly job: Pick<Job, 'state' | 'type'>;
  /** `queue=NAME` among them puts it into that queue, else it is in `default`. */
  readonly agentQueryRules: readonly string[];
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
  jobs: readonly QueuedJob[],
): Counted {
  const agents = { idle, busy, total: idle + busy };
  const scripts = jobs.filter(({ job }) => job.type === 'script');
  const names = new Set(['default', ...scripts.map(queueOf)]);
  const queues = [...names].map((name): [string, JobCounts] => [
    name,
    countJobs(scripts.filter((job) => queueOf(job) === name)),
  ]);
  return {
    agents: { ...agents, queues: { default: agents } },
    jobs: { ...countJobs(scripts), queues: Object.fromEntries(queues) },
  };
}

const queueOf = ({ agentQueryRules }: QueuedJob): string =>
  agentQueryRules.find((rule) => rule.startsWith('queue='))?.slice('queue='.length) ?? 'default';

function countJobs(jobs: readonly QueuedJob[]): JobCounts {
  const count = (...states: string[]): number =>
    jobs.filter(({ job }) => states.includes(job.state)).length;
  const scheduled = count('scheduled');
  const running = count('running', 'canceling');
  const waiting = count('waiting', 'limited');
  return { scheduled, running, waiting, total: scheduled + running + waiting };
}
