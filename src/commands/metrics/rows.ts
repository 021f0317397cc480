import { type Metrics } from '../../api/resources/metrics.ts';
import { own, queueNames } from './counts.ts';

/** The row of the whole organization has a name that no queue can have. */
const whole = '(all)';

/**
 * One row a queue, and behind them the whole organization unless queues were chosen; those have a
 * row each, whether the service knows them or not. What is not counted is 0.
 */
export function metricsRows(document: Metrics, chosen: readonly string[]): object[] {
  const { agents, jobs } = document;
  const names = chosen.length > 0 ? [...new Set(chosen)].sort() : queueNames(document);
  const rows = names.map((queue) => ({
    ...document,
    queue,
    agents: { ...noAgents, ...own(agents?.queues, queue) },
    jobs: { ...noJobs, ...own(jobs?.queues, queue) },
  }));
  return chosen.length > 0 ? rows : [...rows, { ...document, queue: whole }];
}

const noAgents = { idle: 0, busy: 0, total: 0 };
const noJobs = { scheduled: 0, running: 0, waiting: 0, total: 0 };

/** The same object with only these queues; the totals are unchanged. */
export function onlyQueues(document: Metrics, chosen: readonly string[]): Metrics {
  if (chosen.length === 0) return document;
  const { agents, jobs } = document;
  return {
    ...document,
    ...(agents && { agents: { ...agents, queues: pick(agents.queues, chosen) } }),
    ...(jobs && { jobs: { ...jobs, queues: pick(jobs.queues, chosen) } }),
  };
}

const pick = <T>(queues: Record<string, T> | null | undefined, chosen: readonly string[]) =>
  Object.fromEntries(Object.entries(queues ?? {}).filter(([name]) => chosen.includes(name)));
