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
    ...metrics.columns.filter(({ heading }) => heading !== 'ORGANIZATION'),
  ],
});
