import { cleanText } from '../../untrusted-text.ts';
import type { Counts, Gauges } from './counts.ts';

/** StatsD gauges, one a line: `buildkite.queues.default.RunningJobsCount:3|g`. */
export function toStatsd({ cluster, totals, queues }: Counts): string {
  const prefix = `buildkite.${cluster === '' ? '' : `clusters.${part(cluster)}.`}`;
  const lines = [
    ...gaugeLines(prefix, totals),
    ...[...queues].flatMap(([queue, gauges]) =>
      gaugeLines(`${prefix}queues.${part(queue)}.`, gauges),
    ),
  ];
  return lines.join('');
}

const gaugeLines = (prefix: string, gauges: Gauges): string[] =>
  [...gauges].map(([name, value]) => `${prefix}${name}:${value}|g\n`);

/** What would end the name, or the line, is replaced. */
const part = (name: string): string => cleanText(name).replace(/[:|@#\s\p{Cc}]/gu, '_');
