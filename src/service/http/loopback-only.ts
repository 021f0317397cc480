/**
 * Against pages in a browser of this machine: a name that leads here by DNS rebinding shows in
 * `Host`, a foreign page in `Origin`.
 */
import { ApiError } from './api-error.ts';
import type { Reach } from './reach.ts';

const names = ['127.0.0.1', 'localhost', '[::1]'];

/** What is meant for a service on this port of 127.0.0.1. */
export function loopbackReach(port: number): Reach {
  // Of the usual port browsers say nothing.
  const endings = port === 80 ? ['', ':80'] : [`:${port}`];
  const hosts = new Set(names.flatMap((name) => endings.map((one) => name + one)));
  const origins = new Set([...hosts].map((host) => `http://${host}`));
  return {
    originOf(host = '', page) {
      if (!hosts.has(host.toLowerCase()))
        throw new ApiError(403, 'Forbidden: this service answers at 127.0.0.1 and localhost alone');
      if (page !== undefined && !origins.has(page))
        throw new ApiError(403, 'Forbidden: this service answers no other origin');
      return `http://${host.toLowerCase()}`;
    },
  };
}
