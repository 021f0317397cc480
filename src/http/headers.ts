import { InvalidResponseError } from './transport.ts';

/** Parses `Content-Range`. Undefined if it is missing or malformed. Units are case-insensitive. */
export function contentRange(headers: Headers) {
  const match = syntax.exec(headers['content-range'] ?? '');
  if (match === null) return undefined;
  const [, first, last, size] = match;
  return { first: numberOf(first), last: numberOf(last), size: numberOf(size) };
}

const syntax = /^\s*bytes\s+(?:(\d+)-(\d+)|\*)\/(\d+|\*)\s*$/i;

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined || text === '*' ? undefined : Number(text);

/**
 * Returns the URL of `rel="next"` in a `Link` header, if any. URLs may contain commas. A link may
 * have several relations, unquoted or in uppercase. Throws `InvalidResponseError` if the header is
 * malformed (including a link without a relation, RFC 8288, section 3.3) or has two next pages:
 * otherwise the rest of the list would be lost silently.
 */
export function nextLink(header: string | undefined): string | undefined {
  const [next, other] = targets(header, 'next');
  if (other !== undefined) throw new InvalidResponseError('the Link header has two `next` links');
  return next;
}

/** Returns the URL of `rel="last"`, or undefined if there is none or more than one. */
export function lastLink(header: string | undefined): string | undefined {
  const [last, other] = targets(header, 'last');
  return other === undefined ? last : undefined;
}

const targets = (header: string | undefined, wanted: string): Set<string> =>
  new Set(
    links(header ?? '').flatMap(({ target, relation }) =>
      relation.toLowerCase().split(/\s+/).includes(wanted) ? [target] : [],
    ),
  );

interface Link {
  readonly target: string;
  readonly relation: string;
}

function links(header: string): Link[] {
  const found: Link[] = [];
  let rest = header.replace(/^[\s,]+/, '');
  while (rest !== '') {
    const [start, target] = /^<([^<>]*)>/.exec(rest) ?? malformed(header);
    const [parameters = ''] =
      /^(?:\s*;[^;,"]*(?:"(?:[^"\\]|\\.)*")?)*/.exec(rest.slice(start.length)) ?? [];
    const end =
      /^\s*(?:,[\s,]*|$)/.exec(rest.slice(start.length + parameters.length)) ?? malformed(header);
    const relation = relationOf(parameters);
    if (!/^[^\s']/.test(relation)) malformed(header);
    found.push({ target: target ?? '', relation });
    rest = rest.slice(start.length + parameters.length + end[0].length);
  }
  return found;
}

function malformed(header: string): never {
  const start = JSON.stringify(header.slice(0, 60));
  throw new InvalidResponseError(`malformed Link header: ${start}`);
}

/** Only the first `rel` parameter is valid (RFC 8288). */
function relationOf(parameters: string): string {
  for (const [, name, quoted, plain] of parameters.matchAll(parameter)) {
    if (name?.toLowerCase() === 'rel') return quoted ?? plain ?? '';
  }
  return '';
}

const parameter = /;\s*([^\s;,="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g;

type Headers = Readonly<Record<string, string>>;

export const mediaType = (headers: Headers): string =>
  (headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase();

export function notPlainText(headers: Headers): string | undefined {
  const type = mediaType(headers);
  if (type === 'text/html') return 'HTML';
  if (/[/+]json$/.test(type)) return 'JSON';
  return /[/+]xml$/.test(type) ? 'XML' : undefined;
}

/** Parses seconds such as `42` or `0.5` into milliseconds. If repeated, uses the largest value. */
export function headerSeconds(value: string | undefined): number | undefined {
  const texts = (value ?? '').split(',').map((text) => text.trim());
  if (!texts.every((text) => /^\d+(\.\d+)?$/.test(text))) return undefined;
  return Math.min(longestAsked, Math.max(...texts.map((text) => Number(text) * 1000)));
}

/** Longest wait that a service may request: a year in milliseconds. */
export const longestAsked = 365 * 24 * 60 * 60 * 1000;

const limits = [
  ['ratelimit-reset', 'ratelimit-remaining'],
  ['ratelimit-user-reset', 'ratelimit-user-remaining'],
  ['rate-limit-reset', 'rate-limit-remaining'],
  ['rate-limit-user-reset', 'rate-limit-user-remaining'],
] as const;

/**
 * Returns how many milliseconds a 429 or 503 response asks to wait, or undefined if it does not
 * say. All responses contain reset times, so the reset time of a limit that is not exhausted is
 * only used for a 429, and only if no other limit is exhausted. If no header has a time, `reset` in
 * the body is used.
 */
export function rateLimitWait(
  { status, headers, text }: { status: number; headers: Headers; text?: string },
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

/** `Retry-After` is a number of seconds or an HTTP date, which itself contains a comma. */
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
