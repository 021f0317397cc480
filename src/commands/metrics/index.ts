import { command } from '../../command/command.ts';
import { metrics } from '../../api/resources/metrics.ts';
import { resource, text } from '../../api/resources/resource.ts';

const metricsFormats = ['table', 'json', 'prometheus', 'statsd'] as const;

/** `--fields` accepts the field names of the API object and, for rows, also `queue`. */
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
  summary: 'Show idle and busy agents and waiting jobs',
  details:
    'Requires an agent registration token: cictl auth login --agent, or CICTL_AGENT_TOKEN. The Prometheus and StatsD names match the public exporter buildkite-agent-metrics.',
  options: {
    queue: { value: 'QUEUE', suggests: 'queues', repeat: true, summary: 'filter by queue' },
    format: {
      value: 'FORMAT',
      choices: metricsFormats,
      fallback: 'table on a terminal, tsv in a pipe',
      summary: 'output format',
    },
    watch: { summary: 'update until interrupted' },
    interval: {
      short: 'i',
      value: 'DURATION',
      type: 'duration',
      fallback: '10s',
      summary: "polling interval, at least the service's minimum",
    },
    timeout: { value: 'DURATION', type: 'duration', summary: 'stop watching after this time' },
    listen: {
      value: '[HOST:]PORT',
      summary: 'serve /metrics for Prometheus; HOST defaults to 127.0.0.1',
    },
  },
  examples: ['cictl metrics --queue default --format json', 'cictl metrics --listen 9100'],
  resource: queueMetrics,
  credential: 'agent',
});
