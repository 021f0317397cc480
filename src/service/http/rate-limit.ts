import type { Clock } from '../../common/clock.ts';
import { ApiError } from './api-error.ts';

const minute = 60_000;
/** An organization has four times the limit of a user, as on the public service (200 and 50). */
const ofOrganization = 4;

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Uses fixed one-minute windows for each user and each organization, as in the public service. */
export function createRateLimiter(limit: number, clock: Pick<Clock, 'now'>) {
  const windows = new Map<string, { start: number; used: number }>();
  /** Counts a request. `reset` is the number of seconds until the window ends. */
  const count = (key: string, most: number) => {
    const now = clock.now();
    const known = windows.get(key);
    const window = known && now - known.start < minute ? known : { start: now, used: 0 };
    window.used++;
    windows.set(key, window);
    const reset = Math.ceil((window.start + minute - now) / 1000);
    return { limit: most, current: window.used, reset };
  };
  return {
    take(userId: string, organizationId: string): Record<string, string> {
      const user = count(`user ${userId}`, limit);
      const organization = count(`organization ${organizationId}`, limit * ofOrganization);
      const headers = {
        'ratelimit-scope': 'rest',
        ...named('ratelimit', organization),
        ...named('ratelimit-user', user),
      };
      for (const [scope, used] of Object.entries({ rest_user: user, rest: organization }))
        if (used.current > used.limit)
          throw new ApiError(
            429,
            `You have exceeded your API rate limit. Please wait ${used.reset} seconds before making more requests.`,
            { headers, members: { scope, ...used } },
          );
      return headers;
    },
  };
}

type Used = Readonly<Record<'limit' | 'current' | 'reset', number>>;

const named = (prefix: string, { limit, current, reset }: Used) => ({
  [`${prefix}-remaining`]: String(Math.max(limit - current, 0)),
  [`${prefix}-limit`]: String(limit),
  [`${prefix}-reset`]: String(reset),
});
