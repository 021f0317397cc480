import { metrics } from '../../api/resources/metrics.ts';
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
