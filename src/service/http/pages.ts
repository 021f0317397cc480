/** Pages of lists and their `Link` header. */
import type { Slice } from '../store/build-lists.ts';
import type { Elements } from './json-pieces.ts';
import { jsonInTurns } from './json-in-turns.ts';
import { json, type RouteResponse } from './response.ts';
import { badRequest } from './api-error.ts';
import type { Call } from './route.ts';

const defaultSize = 30;
const maxSize = 100;
const deepest = 1_000_000;

/** The page that a call asks for; what is no page is the first, what is too large is cut. */
export function sliceOf({ query }: Pick<Call, 'query'>): Slice & { readonly page: number } {
  const page = Math.max(integer(query.get('page')) ?? 1, 1);
  const limit = Math.min(Math.max(integer(query.get('per_page')) ?? defaultSize, 1), maxSize);
  const offset = (page - 1) * limit;
  if (offset >= deepest)
    throw badRequest(
      'Listing builds this deep is not supported. Please narrow your query using filters such as branch or created_from.',
    );
  return { page, offset, limit };
}

const integer = (text: string | null): number | undefined =>
  text !== null && /^\d+$/.test(text.trim()) ? Number(text) : undefined;

/** A list's response: a bare array, and where the other pages are. */
export function page(
  call: Pick<Call, 'query' | 'url'>,
  total: number,
  elements: unknown,
): RouteResponse {
  return json(elements, 200, linkOf(call, total));
}

/** The same for elements that may be long. */
export const pageInTurns = (
  call: Pick<Call, 'query' | 'url'>,
  total: number,
  elements: Elements,
): Promise<RouteResponse> => jsonInTurns(elements, { headers: linkOf(call, total) });

function linkOf(call: Pick<Call, 'query' | 'url'>, total: number): RouteResponse['headers'] {
  const { page: current, limit } = sliceOf(call);
  const link = linkHeader(call.url, current, Math.max(Math.ceil(total / limit), 1));
  return link === '' ? {} : { link };
}

/** A page of a list that is at hand as a whole. */
export function pageOf<T>(
  call: Pick<Call, 'query' | 'url'>,
  all: readonly T[],
  present: (element: T) => object,
): RouteResponse {
  const { offset, limit } = sliceOf(call);
  return page(call, all.length, all.slice(offset, offset + limit).map(present));
}

function linkHeader(url: URL, current: number, last: number): string {
  const links: [string, number][] = [];
  if (current > 1) links.push(['first', 1], ['prev', Math.min(current - 1, last)]);
  if (current < last) links.push(['next', current + 1], ['last', last]);
  return links.map(([rel, number]) => `<${pageUrl(url, number)}>; rel="${rel}"`).join(', ');
}

/** Filters stay, credentials go. `URLSearchParams` encodes the commas that clients split at. */
function pageUrl(url: URL, number: number): string {
  const next = new URL(url);
  for (const secret of ['access_token', 'token', 'api_key']) next.searchParams.delete(secret);
  next.searchParams.set('page', String(number));
  return next.href;
}
