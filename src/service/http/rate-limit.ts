/** Rate limits as the public service has them: fixed minutes, for a user and for an organization. */
import type { Clock } from '../../common/clock.ts';
import { ApiError } from './api-error.ts';

const minute = 60_000;
/** The public service gives an organization 200 and a user 50. */
const ofOrganization = 4;

interface Window {
  start: number;
  used: number;
}

export interface RateLimiter {
  /** Counts one request and gives the headers of its response. Throws `ApiError` 429. */
  take(userId: string, organizationId: string): Record<string, string>;
}

/** `limit` requests a minute for a user. */
export function createRateLimiter(limit: number, clock: Pick<Clock, 'now'>): RateLimiter {
  const windows = new Map<string, Window>();
  const count = (key: string): Window => {
    const now = clock.now();
    const known = windows.get(key);
    const window =
      known !== undefined && now - known.start < minute ? known : { start: now, used: 0 };
    window.used++;
    windows.set(key, window);
    return window;
  };
  const left = ({ start }: Window): number => Math.ceil((start + minute - clock.now()) / 1000);
  return {
    take: (userId, organizationId) => {
      const user = count(`user ${userId}`);
      const organization = count(`organization ${organizationId}`);
      const headers = {
        'ratelimit-scope': 'rest',
        ...named('ratelimit', organization.used, limit * ofOrganization, left(organization)),
        ...named('ratelimit-user', user.used, limit, left(user)),
      };
      if (user.used > limit) throw exceeded('rest_user', limit, user.used, left(user), headers);
      if (organization.used > limit * ofOrganization)
        throw exceeded(
          'rest',
          limit * ofOrganization,
          organization.used,
          left(organization),
          headers,
        );
      return headers;
    },
  };
}

const named = (prefix: string, used: number, limit: number, reset: number) => ({
  [`${prefix}-remaining`]: String(Math.max(limit - used, 0)),
  [`${prefix}-limit`]: String(limit),
  [`${prefix}-reset`]: String(reset),
});

function exceeded(
  scope: string,
  limit: number,
  current: number,
  reset: number,
  headers: Record<string, string>,
): ApiError {
  const message = `You have exceeded your API rate limit. Please wait ${reset} seconds before making more requests.`;
  return new ApiError(429, message, { headers, members: { scope, limit, current, reset } });
}
