import { InvalidResponseError } from './transport.ts';

/** What `Content-Range` says of a part: its bytes and the size of the whole; of none, the size alone. */
interface ContentRange {
  /** Undefined where there is no such part. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** Undefined where it is not said. */
  readonly size: number | undefined;
}

/** Undefined without the header, and where it is malformed. Units have no case (RFC 9110). */
export function contentRange(headers: Readonly<Record<string, string>>): ContentRange | undefined {
  const match = syntax.exec(headers['content-range'] ?? '');
  if (match === null) return undefined;
  const [, first, last, size] = match;
  return { first: numberOf(first), last: numberOf(last), size: numberOf(size) };
}

const syntax = /^\s*bytes\s+(?:(\d+)-(\d+)|\*)\/(\d+|\*)\s*$/i;

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined || text === '*' ? undefined : Number(text);

/**
 * The address of `rel="next"` in a `Link` header, or undefined where there is none. Addresses may
 * hold commas; relations may be several, unquoted, or in capitals. Throws `InvalidResponseError`
 * where it is malformed, also by a link without a relation (RFC 8288, 3.3), or names two next
 * pages: taken for the end of a list, it would lose the rest.
 */
export function nextLink(header: string | undefined): string | undefined {
  const [next, other] = targets(header, 'next');
  if (other !== undefined) throw new InvalidResponseError('its header Link names two next pages');
  return next;
}

/** The address of `rel="last"`, or undefined where there is none, or more than one. */
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
  throw new InvalidResponseError(`its header Link is malformed, beginning with ${start}`);
}

/** The first `rel` counts (RFC 8288); one inside the text of another parameter is none. */
function relationOf(parameters: string): string {
  for (const [, name, quoted, plain] of parameters.matchAll(parameter)) {
    if (name?.toLowerCase() === 'rel') return quoted ?? plain ?? '';
  }
  return '';
}

const parameter = /;\s*([^\s;,="]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g;

type Headers = Readonly<Record<string, string>>;

/** What `Content-Type` says, without parameters and in lower case; empty where it says nothing. */
export const mediaType = (headers: Headers): string =>
  (headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase();

/** The name of what is certainly no plain text, or undefined. */
export function notPlainText(headers: Headers): string | undefined {
  const type = mediaType(headers);
  if (type === 'text/html') return 'HTML';
  if (/[/+]json$/.test(type)) return 'JSON';
  return /[/+]xml$/.test(type) ? 'XML' : undefined;
}

/**
 * Milliseconds that a header gives in seconds, or undefined where it is none: `42`, `0.5`. A header
 * that came more than once (`42, 42`) counts once; where its values differ, the largest.
 */
export function headerSeconds(value: string | undefined): number | undefined {
  const texts = (value ?? '').split(',').map((text) => text.trim());
  if (!texts.every((text) => /^\d+(\.\d+)?$/.test(text))) return undefined;
  return Math.min(longestAsked, Math.max(...texts.map((text) => Number(text) * 1000)));
}

/** A year, in milliseconds: the upper limit of any requested wait. */
export const longestAsked = 365 * 24 * 60 * 60 * 1000;
