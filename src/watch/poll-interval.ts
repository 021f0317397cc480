import { isLoopback } from '../parse/loopback.ts';
import type { IntervalLimits } from './poll.ts';

/**
 * How often a service is polled: a remote one every 1 to 15 seconds, which leaves most of its rate
 * limit to other work; one on this machine more often, since its builds take seconds.
 */
export const pollInterval = (baseUrl: string): IntervalLimits =>
  isLoopback(new URL(baseUrl).hostname) ? { min: 250, max: 2000 } : { min: 1000, max: 15_000 };
