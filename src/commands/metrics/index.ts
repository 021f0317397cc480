import { command } from '../../command/command.ts';
import { metrics } from '../../api/resources/metrics.ts';
import { resource, text } from '../../api/resources/resource.ts';

const metricsFormats = ['table', 'json', 'prometheus', 'statsd'] as const;

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

export const metricsCommand = command({
  name: 'metrics',
  summary: 'Show how many agents are idle and busy, and how many jobs wait',
  details:
    'Needs the agent registration token: cictl auth login --agent, or CICTL_AGENT_TOKEN. Names of\n' +
    'prometheus and statsd are those of the public exporter buildkite-agent-metrics.',
  options: {
    queue: { value: 'QUEUE', suggests: 'queues', repeat: true, summary: 'only this queue' },
    format: {
      value: 'FORMAT',
      choices: metricsFormats,
      fallback: 'table on a terminal, tsv in a pipe',
      summary: 'how it is printed',
    },
    watch: { summary: 'look again and again' },
    interval: {
      short: 'i',
      value: 'DURATION',
      type: 'duration',
      fallback: '10s',
      summary: 'pause between looks, at least what the service asks for',
    },
    timeout: { value: 'DURATION', type: 'duration', summary: 'stop watching after this time' },
    listen: {
      value: '[HOST:]PORT',
      summary: 'serve /metrics for Prometheus (127.0.0.1 where no host is given)',
    },
  },
  examples: ['cictl metrics --queue default --format json', 'cictl metrics --listen 9100'],
  resource: queueMetrics,
  credential: 'agent',
});
