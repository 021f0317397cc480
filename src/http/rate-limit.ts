/** Limits, each with the header that says when it opens again and the one with what is left. */
const limits = [
  ['ratelimit-reset', 'ratelimit-remaining'],
  ['ratelimit-user-reset', 'ratelimit-user-remaining'],
  ['rate-limit-reset', 'rate-limit-remaining'],
  ['rate-limit-user-reset', 'rate-limit-user-remaining'],
] as const;

/**
 * Milliseconds that an answer with status 429 or 503 asks to wait, or undefined when it does not
 * say. A limit of which something is left does not count, unless none is used up; where no header
 * says anything, `reset` of the body does. `now` is for dates.
 */
export function askedWait(
  { headers, text }: { headers: Readonly<Record<string, string>>; text?: string },
  now: number,
): number | undefined {
  const open = limits.filter(([, left]) => !(Number(headers[left]) > 0));
  const resets = seconds(headers, open) ?? seconds(headers, limits);
  const later = retryAfter(headers['retry-after'], now);
  const waits = [resets, later].filter((wait) => wait !== undefined);
  return waits.length > 0 ? Math.max(...waits) : inBody(text);
}

function seconds(
  headers: Readonly<Record<string, string>>,
  among: readonly (typeof limits)[number][],
): number | undefined {
  const waits = among
    .map(([reset]) => wholeSeconds(headers[reset]))
    .filter((ms) => ms !== undefined);
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

/** Seconds, or a date of HTTP. */
function retryAfter(value: string | undefined, now: number): number | undefined {
  const plain = wholeSeconds(value);
  if (plain !== undefined || value === undefined) return plain;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function inBody(text = ''): number | undefined {
  const [, value] = /"reset"\s*:\s*(\d+)/.exec(text) ?? [];
  return wholeSeconds(value);
}

const wholeSeconds = (value: string | undefined): number | undefined =>
  value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : undefined;
