import { readBodyText } from '../http/body.ts';
import { lastLink, nextLink } from '../http/headers.ts';
import type { FinalResponse } from '../http/redirects.ts';
import { decodeArray } from './decode.ts';
import type { SendRequest } from './send-request.ts';
import type { PageWindow } from './fetch-ahead.ts';
import { toCictlError } from './failure.ts';
import type { Call, CallInfo } from './call.ts';
import { InvalidResponseError } from '../http/transport.ts';

/** Fetches pages before they are read, where the first page says how; undefined where it does not. */
export type FetchAhead = (
  call: Call,
  first: FirstPage,
) => Promise<PageWindow<SentPage> | undefined>;

interface FirstPage extends SentPage {
  readonly next: URL;
  readonly elements: readonly object[];
}

/** A page as it was sent: large lists are kept so until they are read. */
interface SentPage {
  readonly text: string;
  readonly response: FinalResponse;
}

/**
 * A list in pages; the next is requested when the one before was consumed, or with `fetchAhead` a
 * few more. What came before a failure was yielded.
 */
export const pages = <T extends object>(
  send: SendRequest,
  call: Call,
  fetchAhead?: FetchAhead,
): Pages<T> => ({
  pages: () => walkPages<T>(send, call, fetchAhead),
  async *[Symbol.asyncIterator]() {
    for await (const { items } of walkPages<T>(send, call, fetchAhead)) yield* items;
  },
});

/** Requests one page of a list, at its own address where there is one. */
export const fetchPage = (send: SendRequest, call: Call, at?: URL): Promise<SentPage> =>
  send(call, async (response) => ({ text: await readBodyText(response), response }), at);

async function* walkPages<T extends object>(
  send: SendRequest,
  call: Call,
  fetchAhead?: FetchAhead,
): AsyncGenerator<Page<T>> {
  const findNextPage = createNextPageFinder(call);
  const deduplicate = createDeduplicator();
  let ahead: PageWindow<SentPage> | undefined;
  try {
    let { text, response } = await fetchPage(send, call);
    for (let count = 1; ; count++) {
      const elements = elementsOf<T>(onPage(call, response.url, count), text);
      const items = deduplicate(elements);
      // What has been pushed back shows that the bound does not hold: pages that crossed may miss some.
      if (items.length < elements.length) ahead?.close();
      const next = nextOf(() => findNextPage(response, items.length > 0));
      // The elements are yielded before the error that there is no next page.
      yield {
        items,
        hasNext: next.error !== undefined || next.target !== undefined,
        last: lastNumber(response),
      };
      if (next.error !== undefined) throw next.error;
      const { target } = next;
      if (target === undefined) return;
      if (count === 1) ahead = await fetchAhead?.(call, { text, response, next: target, elements });
      const page = ahead?.take(target) ?? fetchPage(send, onPage(call, target, count + 1), target);
      ({ text, response } = await page);
    }
  } finally {
    ahead?.close();
  }
}

function elementsOf<T>(call: Call, text: string): T[] {
  try {
    return decodeArray(text) as T[];
  } catch (error) {
    throw toCictlError(call, error);
  }
}

/** For people alone: what is malformed says nothing. */
function lastNumber({ url, headers }: FinalResponse): number | undefined {
  const link = headers['link'];
  try {
    const last = link?.includes('last') ? lastLink(link) : undefined;
    const page = last === undefined ? null : new URL(last, url).searchParams.get('page');
    return page !== null && /^\d{1,9}$/.test(page) ? Number(page) : undefined;
  } catch {
    return undefined;
  }
}

function nextOf(findNextPage: () => URL | undefined): { target?: URL | undefined; error?: Error } {
  try {
    return { target: findNextPage() };
  } catch (error) {
    return { error: error as Error };
  }
}

/** A page of a list: `hasNext` says that the service names a further one. */
interface Page<T> {
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
type FindNextPage = (response: FinalResponse, hasNewItems: boolean) => URL | undefined;

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
function createDeduplicator(): <T extends object>(page: readonly T[]) => T[] {
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

/** What a list calls while it is read. */
interface ListEvents {
  /** The service has more elements than were wanted. */
  readonly more: () => void;
  /**
   * Awaited once, before the last element of a first page that others follow: a reader who has seen
   * enough has gone meanwhile, so that the last element finds nobody and no other page is asked for.
   */
  readonly beforeOthers: () => Promise<void>;
}

/** The first `limit` elements of a paginated list. Reads no page beyond the one that holds the last. */
export async function* firstOfPages<T>(
  pages: Pages<T>,
  limit: number,
  { more, beforeOthers }: ListEvents,
): AsyncGenerator<T> {
  let left = limit;
  for await (const { items, hasNext } of pages.pages()) {
    const shown = items.slice(0, left);
    const surplus = items.length > left || (items.length === left && hasNext);
    const isFirst = left === limit;
    left -= shown.length;
    if (isFirst && hasNext && left > 0) {
      yield* shown.slice(0, -1);
      await beforeOthers();
      yield* shown.slice(-1);
    } else yield* shown;
    if (left > 0) continue;
    if (surplus) more();
    return;
  }
}
