import { headerSeconds, longestAsked } from './headers.ts';

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
 * Returns how many milliseconds a response with status 429 or 503 asks to wait, if it says so.
 * Since every response has reset times, a limit with remaining requests counts only if no limit is
 * used up and the status is 429. If no header has a time, `reset` in the body is used.
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

/** `Retry-After` has seconds or an HTTP date, which contains a comma itself. */
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
