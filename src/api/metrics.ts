import { readText } from '../http/body.ts';
import { headerSeconds } from '../http/seconds.ts';
import { decodeObject } from './decode.ts';
import type { Exchange } from './exchange.ts';
import type { Metrics } from './resources/metrics.ts';

export interface MetricsApi {
  /** `pollDuration`: the least number of milliseconds between two calls, 1 s to 1 h. */
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

/**
 * From seconds in a header, ten where it is missing, as the public service says. A service that
 * asks for no pause, or for one of weeks, is not taken at its word.
 */
const pollDuration = (header: string | undefined): number =>
  Math.min(Math.max(headerSeconds(header) ?? 10 * second, second), hour);

const second = 1000;
const hour = 60 * 60 * second;
