import type { Slice } from '../store/build-lists.ts';
import { type Elements, jsonInTurns } from './json-in-turns.ts';
import { json, type RouteResponse } from './response.ts';
import { badRequest } from './api-error.ts';
import type { Call } from './route.ts';

const defaultSize = 30;
const maxSize = 100;
const deepest = 1_000_000;

/** The requested page. Treats an invalid number as page 1, and reduces a size that is too large. */
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

type PageCall = Pick<Call, 'query' | 'url'>;

export const page = (call: PageCall, total: number, elements: unknown): RouteResponse =>
  json(elements, 200, linkOf(call, total));

export const pageInTurns = (
  call: PageCall,
  total: number,
  elements: Elements,
): Promise<RouteResponse> => jsonInTurns(elements, { headers: linkOf(call, total) });

function linkOf(call: PageCall, total: number): RouteResponse['headers'] {
  const { page: current, limit } = sliceOf(call);
  const last = Math.max(Math.ceil(total / limit), 1);
  const links: [string, number][] = [];
  if (current > 1) links.push(['first', 1], ['prev', Math.min(current - 1, last)]);
  if (current < last) links.push(['next', current + 1], ['last', last]);
  if (links.length === 0) return {};
  const parts = links.map(([rel, number]) => `<${pageUrl(call.url, number)}>; rel="${rel}"`);
  return { link: parts.join(', ') };
}

export function pageOf<T>(
  call: PageCall,
  all: readonly T[],
  present: (element: T) => object,
): RouteResponse {
  const { offset, limit } = sliceOf(call);
  return page(call, all.length, all.slice(offset, offset + limit).map(present));
}

/** Removes credentials. Encodes commas, because clients split the `Link` header at commas. */
function pageUrl(url: URL, number: number): string {
  const next = new URL(url);
  for (const secret of ['access_token', 'token', 'api_key']) next.searchParams.delete(secret);
  next.searchParams.set('page', String(number));
  return next.href;
}

/** A cursor is the ID of any element of `all`. Throws `ApiError` 400 for an invalid cursor. */
export function cursorPage<T extends { readonly id: string }>(
  { query, url }: PageCall,
  all: readonly T[],
  holds: (element: T) => boolean,
  present: (element: T) => object,
) {
  const found = all.filter(holds);
  const shown = cursorSlice(query, all, found);
  const [first, last] = [shown[0], shown.at(-1)];
  return {
    items: shown.map(present),
    links: {
      self: url.href,
      ...(first !== undefined &&
        first !== found[0] && { prev: cursorUrl(url, 'before', first.id) }),
      ...(last !== undefined &&
        last !== found.at(-1) && { next: cursorUrl(url, 'after', last.id) }),
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
  if (after !== null && before !== null) throw badRequest('after and before cannot be combined');
  const cursor = after ?? before;
  if (cursor === null) return found.slice(0, size);
  const at = all.findIndex(({ id }) => id === cursor);
  if (at < 0) throw badRequest('The cursor is not in this list');
  const side = new Set(after === null ? all.slice(0, at) : all.slice(at + 1));
  const rest = found.filter((element) => side.has(element));
  return after === null ? rest.slice(-size) : rest.slice(0, size);
}

function sizeOf(text: string | null): number {
  if (text === null) return defaultSize;
  const size = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (size < 1) throw badRequest('per_page must be a number between 1 and 100');
  return Math.min(size, maxSize);
}

function cursorUrl(url: URL, name: string, cursor: string): string {
  const next = new URL(url);
  for (const other of ['after', 'before']) next.searchParams.delete(other);
  next.searchParams.set(name, cursor);
  return next.href;
}
