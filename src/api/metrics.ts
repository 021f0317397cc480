import { readText } from '../http/body.ts';
import { decodeObject } from './decode.ts';
import type { Exchange } from './exchange.ts';
import type { Metrics } from './resources/metrics.ts';

export interface MetricsApi {
  /** `pollDuration`: the least number of milliseconds between two calls. */
  get(): Promise<{ metrics: Metrics; pollDuration: number }>;
}

export const metrics = (exchange: Exchange): MetricsApi => ({
  get: () =>
    exchange(
      {
        method: 'GET',
        path: ['v3', 'metrics'],
        doing: 'read the metrics',
        login: 'cictl auth login --agent',
      },
      async (answer) => ({
        metrics: decodeObject(await readText(answer)),
        pollDuration: pollDuration(answer.headers['buildkite-agent-metrics-poll-duration']),
      }),
    ),
});

/** Seconds in a header; ten where it is missing, as the public service says. */
function pollDuration(header = ''): number {
  const seconds = /^\d+$/.test(header) ? Number(header) : 10;
  return seconds * 1000;
}
