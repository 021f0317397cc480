import type { Slice } from '../store/build-lists.ts';
import { type Elements, jsonInTurns } from './json-in-turns.ts';
import { json, type RouteResponse } from './response.ts';
import { badRequest } from './api-error.ts';
import type { Call } from './route.ts';

const defaultSize = 30;
const maxSize = 100;
const deepest = 1_000_000;

/** The requested page: an invalid number is page 1, and a size that is too large is reduced. */
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

/** A bare array, with a `Link` header. */
export function page(
  call: Pick<Call, 'query' | 'url'>,
  total: number,
  elements: unknown,
): RouteResponse {
  return json(elements, 200, linkOf(call, total));
}

/** The same for long elements. */
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

/** A page of a list that is in memory. */
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

/**
 * Keeps filters, removes credentials. `URLSearchParams` encodes commas, at which clients split the
 * header.
 */
function pageUrl(url: URL, number: number): string {
  const next = new URL(url);
  for (const secret of ['access_token', 'token', 'api_key']) next.searchParams.delete(secret);
  next.searchParams.set('page', String(number));
  return next.href;
}

interface Page {
  readonly items: readonly object[];
  /** URLs; `next` and `prev` only if there are more items. */
  readonly links: Readonly<Record<string, string>>;
}

/**
 * A page of an object with `items` and `links`, as newer lists of the public service have it. A
 * cursor is the ID of any element of `all`, so that it stays valid if the element no longer
 * matches. Throws `ApiError` 400 for an invalid size or cursor.
 */
export function cursorPage<T extends { readonly id: string }>(
  { query, url }: Pick<Call, 'query' | 'url'>,
  all: readonly T[],
  holds: (element: T) => boolean,
  present: (element: T) => object,
): Page {
  const found = all.filter(holds);
  const shown = cursorSlice(query, all, found);
  const [first, last] = [shown[0], shown.at(-1)];
  const to = (name: string, cursor: string): string => cursorUrl(url, name, cursor);
  return {
    items: shown.map(present),
    links: {
      self: url.href,
      ...(first !== undefined && first !== found[0] && { prev: to('before', first.id) }),
      ...(last !== undefined && last !== found.at(-1) && { next: to('after', last.id) }),
    },
  };
}

function cursorSlice<T extends { readonly id: string }>(
  query: URLSearchParams,
  all: readonly T[],
  found: readonly T[],
): readonly T[] {
  const size = sizeOf(query.get('per_page'));
  const [after, before] = [query.get('after'), query.get('before')];
  if (after !== null && before !== null) throw badRequest('after and before exclude each other');
  if (before !== null)
    return found.filter(isAmong(all.slice(0, placeOf(all, before)))).slice(-size);
  if (after === null) return found.slice(0, size);
  return found.filter(isAmong(all.slice(placeOf(all, after) + 1))).slice(0, size);
}

function isAmong<T>(elements: readonly T[]): (element: T) => boolean {
  const set = new Set(elements);
  return (element) => set.has(element);
}

function sizeOf(text: string | null): number {
  if (text === null) return defaultSize;
  const size = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (size < 1) throw badRequest('per_page must be a number from 1 to 100');
  return Math.min(size, maxSize);
}

function placeOf(all: readonly { id: string }[], cursor: string): number {
  const index = all.findIndex(({ id }) => id === cursor);
  if (index < 0) throw badRequest('The cursor leads nowhere in this list');
  return index;
}

function cursorUrl(url: URL, name: string, cursor: string): string {
  const next = new URL(url);
  for (const other of ['after', 'before']) next.searchParams.delete(other);
  next.searchParams.set(name, cursor);
  return next.href;
}
