import { headerSeconds, longestAsked } from './headers.ts';

/** Limits, each with the header that says when it opens again and the one with what is left. */
const limits = [
  ['ratelimit-reset', 'ratelimit-remaining'],
  ['ratelimit-user-reset', 'ratelimit-user-remaining'],
  ['rate-limit-reset', 'rate-limit-remaining'],
  ['rate-limit-user-reset', 'rate-limit-user-remaining'],
] as const;

interface LimitedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text?: string;
}

/**
 * Milliseconds that a response with status 429 or 503 asks to wait, or undefined when it does not
 * say. A limit of which something is left does not count, unless none is used up and the status is
 * 429: every response says when its limits begin anew. Where no header says anything, `reset` of the
 * body does. `now` is for dates.
 */
export function rateLimitWait(
  { status, headers, text }: LimitedResponse,
  now: number,
): number | undefined {
  const usedUp = limits.filter(([, left]) => !hasRemaining(headers[left]));
  const resets =
    seconds(headers, usedUp) ?? (status === 429 ? seconds(headers, limits) : undefined);
  const later = retryAfter(headers['retry-after'], now);
  const waits = [resets, later].filter((wait) => wait !== undefined);
  return waits.length > 0 ? Math.max(...waits) : inBody(text);
}

/** Requests that the service still takes, by the least of its limits; undefined where it has none. */
export function remaining(headers: Readonly<Record<string, string>>): number | undefined {
  const counts = limits
    .map(([, left]) => headers[left] ?? '')
    .filter((text) => /^\d{1,9}$/.test(text))
    .map(Number);
  return counts.length > 0 ? Math.min(...counts) : undefined;
}

const hasRemaining = (value: string | undefined): boolean => (headerSeconds(value) ?? 0) > 0;

function seconds(
  headers: Readonly<Record<string, string>>,
  selected: readonly (typeof limits)[number][],
): number | undefined {
  const waits = selected
    .map(([reset]) => headerSeconds(headers[reset]))
    .filter((ms) => ms !== undefined);
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

/** Seconds, or a date of HTTP, which has a comma of its own. */
function retryAfter(value: string | undefined, now: number): number | undefined {
  const plain = headerSeconds(value);
  if (plain !== undefined || value === undefined) return plain;
  const dates = value.split(/,\s*(?=[A-Za-z]+,)/).map((text) => Date.parse(text));
  if (dates.some((date) => Number.isNaN(date))) return undefined;
  return Math.min(longestAsked, Math.max(0, ...dates.map((date) => date - now)));
}

function inBody(text = ''): number | undefined {
  const [, value] = /"reset"\s*:\s*(\d+(?:\.\d+)?)\s*[,}]/.exec(text) ?? [];
  return headerSeconds(value);
}
