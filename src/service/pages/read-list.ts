import type { Pages } from '../../pages/lists/pager.tsx';
import type { SessionApi } from './session-api.ts';

export interface ListPage<T> {
  readonly elements: readonly T[];
  readonly hasNext: boolean;
}

/** A page of a list of the API. Throws `ApiError`. */
export async function readList<T>(
  api: SessionApi,
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<ListPage<T>> {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const response = await api.fetch(`${path}?${new URLSearchParams(given).toString()}`);
  const elements = (await response.json()) as T[];
  return { elements, hasNext: (response.headers.get('link') ?? '').includes('rel="next"') };
}

/** The number of the page that is asked for; the first where it is none. */
export const pageNumber = (query: URLSearchParams): number =>
  Math.max(1, Number(/^\d{1,6}$/.exec(query.get('page') ?? '')?.[0] ?? 1));

/** The ways to the pages beside one, with the parameters of the list. */
export function pagesOf(
  page: number,
  hasNext: boolean,
  path: string,
  query: Readonly<Record<string, string>>,
): Pages {
  const href = (to: number): string => hrefOf(path, { ...query, page: to === 1 ? '' : String(to) });
  return {
    text: `Page ${page}`,
    previous: page > 1 ? href(page - 1) : undefined,
    next: hasNext ? href(page + 1) : undefined,
  };
}

/** An address of the same list with other parameters; empty ones are left out. */
export function hrefOf(path: string, query: Readonly<Record<string, string>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
