import { InvalidResponseError } from './invalid-response-error.ts';

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
