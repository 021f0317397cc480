import { readBodyText } from '../http/read-body.ts';
import { headerSeconds } from '../http/seconds.ts';
import { decodeObject } from './decode.ts';
import type { SendRequest } from './send-request.ts';
import { checkedMetrics, metricsOrganization } from './checked-metrics.ts';
import type { Metrics } from './resources/metrics.ts';
import type { Call } from './call.ts';

export interface MetricsApi {
  /** `pollDuration`: the least number of milliseconds between two calls, 1 s to 1 h. */
  get(): Promise<{ metrics: Metrics; pollDuration: number }>;
  /** The organization of the agent registration token, where the service says it. */
  organization(): Promise<string | undefined>;
}

export const metrics = (send: SendRequest): MetricsApi => ({
  get: () =>
    send(call, async (response) => ({
      metrics: checkedMetrics(decodeObject(await readBodyText(response))),
      pollDuration: pollDuration(response.headers['buildkite-agent-metrics-poll-duration']),
    })),
  organization: () =>
    send(call, async (response) => metricsOrganization(decodeObject(await readBodyText(response)))),
});

const call: Call = {
  method: 'GET',
  path: ['v3', 'metrics'],
  action: 'read the metrics',
  login: 'cictl auth login --agent',
};

/**
 * From seconds in a header, ten where it is missing, as the public service says. A service that
 * asks for no pause, or for one of weeks, is not obeyed.
 */
const pollDuration = (header: string | undefined): number =>
  Math.min(Math.max(headerSeconds(header) ?? 10 * second, second), hour);

const second = 1000;
const hour = 60 * 60 * second;
