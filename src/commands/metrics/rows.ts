import { metrics, type Metrics } from '../../api/resources/metrics.ts';
import { resource, text } from '../../api/resources/resource.ts';

/** What `--fields` may name: the members of the API's object and, in rows, the queue. */
export const queueMetrics = resource({
  name: 'queue',
  plural: 'queues',
  references: ['queue'],
  members: { queue: text(), ...metrics.members },
  columns: [
    { path: 'queue', heading: 'QUEUE' },
    { path: 'agents.idle', heading: 'IDLE' },
    { path: 'agents.busy', heading: 'BUSY' },
    { path: 'agents.total', heading: 'AGENTS' },
    { path: 'jobs.scheduled', heading: 'SCHEDULED' },
    { path: 'jobs.running', heading: 'RUNNING' },
    { path: 'jobs.waiting', heading: 'WAITING' },
    { path: 'jobs.total', heading: 'JOBS' },
  ],
});

/** The row of the whole organization goes by a name that no queue can have. */
const whole = '(all)';

/** One row a queue, and behind them the whole organization unless queues were chosen. */
export function rowsOf(document: Metrics, chosen: readonly string[]): object[] {
  const { agents, jobs } = document;
  const rows = queueNames(document).map((queue) => ({
    ...document,
    queue,
    agents: agents?.queues?.[queue] ?? null,
    jobs: jobs?.queues?.[queue] ?? null,
  }));
  return chosen.length > 0 ? rows : [...rows, { ...document, queue: whole }];
}

export const queueNames = ({ agents, jobs }: Metrics): string[] =>
  [...new Set([...Object.keys(agents?.queues ?? {}), ...Object.keys(jobs?.queues ?? {})])].sort();

/** The same object with these queues alone; the totals stay as they are. */
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
