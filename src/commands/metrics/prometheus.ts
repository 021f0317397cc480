import { cleanText } from '../../untrusted-text.ts';
import type { Counts, Gauges } from './counts.ts';

/** Prometheus text exposition format, version 0.0.4; families in the order of their names. */
export function toPrometheus({ cluster, totals, queues }: Counts): string {
  const labels = cluster === '' ? [] : [label('cluster', cluster)];
  const gaugeSets = [...queues].map(([queue, gauges]): LabeledGauges => ({
    labels: [...labels, label('queue', queue)],
    gauges,
  }));
  return [
    ...families('Buildkite Queues', 'buildkite_queues_', gaugeSets),
    ...families('Buildkite Total', 'buildkite_total_', [{ labels, gauges: totals }]),
  ].join('');
}

/** Gauges with the labels that they carry. */
interface LabeledGauges {
  readonly labels: readonly string[];
  readonly gauges: Gauges;
}

function families(help: string, prefix: string, gaugeSets: readonly LabeledGauges[]): string[] {
  const names = new Set(gaugeSets.flatMap(({ gauges }) => [...gauges.keys()]));
  return [...names].sort().map((name) => {
    const metric = prefix + snakeCase(name);
    const samples = gaugeSets.flatMap(({ labels, gauges }) => {
      const value = gauges.get(name);
      return value === undefined ? [] : `${metric}${braces(labels)} ${value}\n`;
    });
    return `# HELP ${metric} ${help}: ${name}\n# TYPE ${metric} gauge\n${samples.join('')}`;
  });
}

/** `BusyAgentCount` -> `busy_agent_count`. */
const snakeCase = (name: string): string =>
  name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

const braces = (labels: readonly string[]): string =>
  labels.length === 0 ? '' : `{${labels.join(',')}}`;

const label = (name: string, value: string): string =>
  `${name}="${cleanText(value).replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
