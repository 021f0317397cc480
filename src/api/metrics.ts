import type { Metrics } from './resources/metrics.ts';

export interface MetricsApi {
  /** `pollDuration`: the least number of milliseconds between two calls. */
  get(): Promise<{ metrics: Metrics; pollDuration: number }>;
}
