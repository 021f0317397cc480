/** Pages of an object with `items` and `links`: what newer lists of the public service are. */
import { badRequest } from './api-error.ts';
import type { Call } from './route.ts';

interface Page {
  readonly items: readonly object[];
  /** Addresses; `next` and `prev` only where there is more. */
  readonly links: Readonly<Record<string, string>>;
}

const defaultSize = 30;
const maxSize = 100;

/**
 * Those of `all` that `holds` takes. A cursor is the id of any element, so that it stays good when
 * that one is not taken any more. Throws `ApiError` 400 for a size or cursor that is none.
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
