import { nextLink } from '../http/link.ts';
import type { FinalResponse } from '../http/redirects.ts';
import { toCictlError } from './to-cictl-error.ts';
import type { CallInfo } from './call.ts';
import { InvalidResponseError } from '../http/invalid-response-error.ts';

/** A page of a list: `hasNext` says that the service names a further one. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly hasNext: boolean;
  /** The number of the last page, where the service says it. */
  readonly last?: number | undefined;
}

/**
 * A paginated list: its elements one by one, or its pages as they arrive. Both start from the first
 * page.
 */
export interface Pages<T> extends AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>;
}

/** Finds the next page of a list; `hasNewItems` says whether this one had anything new. */
export type FindNextPage = (response: FinalResponse, hasNewItems: boolean) => URL | undefined;

/** So many pages in a row without anything new, or so many in all, are a loop. */
const maxIdlePages = 100;
const maxPages = 100_000;

/**
 * The address of the next page is what `Link: rel="next"` says, taken only within one origin, since
 * the token goes there too. Throws for another origin, a page already seen, and a loop.
 */
export function createNextPageFinder(call: CallInfo): FindNextPage {
  const seen = new Set<string>();
  let [count, idle] = [0, 0];
  return (response, hasNewItems) => {
    seen.add(response.url.href);
    count += 1;
    idle = hasNewItems ? 0 : idle + 1;
    try {
      const target = next(response, seen);
      if (target !== undefined) checkLoop(count, idle);
      return target;
    } catch (error) {
      throw toCictlError(onPage(call, response.url, count), error);
    }
  };
}

/** Throws `InvalidResponseError` after too many pages, or too many in a row with nothing new. */
export function checkLoop(count: number, idle: number): void {
  if (idle >= maxIdlePages) {
    throw new InvalidResponseError(
      `${maxIdlePages} pages in a row brought nothing new (pagination loop)`,
    );
  }
  if (count >= maxPages) {
    throw new InvalidResponseError(`it has more than ${maxPages} pages (pagination loop)`);
  }
}

/** The call, which names a page behind the first: by its address, else as the so many-th. */
export function onPage<C extends CallInfo>(call: C, url: URL, count: number): C {
  if (count === 1) return call;
  const number = url.searchParams.get('page') ?? '';
  const page = /^\d{1,9}$/.test(number) ? number : count;
  return { ...call, action: `${call.action} (page ${page})` };
}

function next({ url, headers }: FinalResponse, seen: ReadonlySet<string>): URL | undefined {
  const link = nextLink(headers['link']);
  if (link === undefined) return undefined;
  if (!URL.canParse(link, url.href))
    throw new InvalidResponseError('the next page has no valid address');
  const target = new URL(link, url);
  if (target.origin !== url.origin) {
    throw new InvalidResponseError(
      `the next page is at ${target.origin}, where the token does not belong`,
    );
  }
  target.username = '';
  target.password = '';
  target.hash = '';
  if (seen.has(target.href)) throw new InvalidResponseError('pagination loop');
  return target;
}

/**
 * Keeps what earlier pages have not shown: builds created meanwhile push others to the next page.
 * Elements without an id are all kept.
 */
export function createDeduplicator(): <T extends object>(page: readonly T[]) => T[] {
  const seen = new Set<unknown>();
  return (page) => {
    const newElements = page.filter((element) => !seen.has(idOf(element)));
    for (const element of newElements) {
      const id = idOf(element);
      if (id !== undefined) seen.add(id);
    }
    return newElements;
  };
}

function idOf(element: object): string | undefined {
  const { id, uuid } = element as { id?: unknown; uuid?: unknown };
  const own = id ?? uuid;
  return typeof own === 'string' && own !== '' ? own : undefined;
}
