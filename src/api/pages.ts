import { readBodyText } from '../http/body.ts';
import { lastLink, nextLink } from '../http/headers.ts';
import type { FinalResponse } from '../http/send-with-retry.ts';
import { decodeArray } from './decode.ts';
import type { SendRequest } from './send-request.ts';
import type { PageWindow } from './fetch-ahead.ts';
import { toCictlError } from './failure.ts';
import type { Call, CallInfo } from './call.ts';
import { InvalidResponseError } from '../http/transport.ts';

export type FetchAhead = (
  call: Call,
  first: SentPage & { readonly next: URL; readonly elements: readonly object[] },
) => Promise<PageWindow<SentPage> | undefined>;

/** A page as received. Large lists are only parsed when they are read. */
interface SentPage {
  readonly text: string;
  readonly response: FinalResponse;
}

/** Requests a page once the previous one has been read; with `fetchAhead`, a few pages earlier. */
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
      // A repeated element shows that the service ignores `created_to`, so pages fetched in
      // parallel may miss elements.
      if (items.length < elements.length) ahead?.close();
      let next: URL | undefined;
      try {
        next = findNextPage(response, items.length > 0);
      } catch (error) {
        // Yield the elements of this page before throwing the error about the next page.
        yield { items, hasNext: true, last: lastNumber(response) };
        throw error;
      }
      yield { items, hasNext: next !== undefined, last: lastNumber(response) };
      if (next === undefined) return;
      if (count === 1) ahead = await fetchAhead?.(call, { text, response, next, elements });
      const page = ahead?.take(next) ?? fetchPage(send, onPage(call, next, count + 1), next);
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

/** Malformed values are ignored, because the number is only shown to people. */
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

/** `hasNext` is true if the service has another page. */
interface Page<T> {
  readonly items: readonly T[];
  readonly hasNext: boolean;
  readonly last?: number | undefined;
}

/** Iterates over the elements. `pages` iterates over whole pages as they arrive. */
export interface Pages<T> extends AsyncIterable<T> {
  pages(): AsyncIterable<Page<T>>;
}

/** Limits that detect loops: pages in a row without new elements, and pages in total. */
const maxIdlePages = 100;
const maxPages = 100_000;

/** Follows `Link: rel="next"` only within one origin, to protect the token. Rejects loops. */
export function createNextPageFinder(call: CallInfo) {
  const seen = new Set<string>();
  let [count, idle] = [0, 0];
  return (response: FinalResponse, hasNewItems: boolean): URL | undefined => {
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

export function checkLoop(count: number, idle: number): void {
  if (idle >= maxIdlePages) {
    throw new InvalidResponseError(
      `${maxIdlePages} consecutive pages had no new elements (pagination loop)`,
    );
  }
  if (count >= maxPages) {
    throw new InvalidResponseError(`more than ${maxPages} pages (pagination loop)`);
  }
}

export function onPage<C extends CallInfo>(call: C, url: URL, count: number): C {
  if (count === 1) return call;
  const number = url.searchParams.get('page') ?? '';
  const page = /^\d{1,9}$/.test(number) ? number : count;
  return { ...call, action: `${call.action} (page ${page})` };
}

function next({ url, headers }: FinalResponse, seen: ReadonlySet<string>): URL | undefined {
  const link = nextLink(headers['link']);
  if (link === undefined) return undefined;
  if (!URL.canParse(link, url.href)) throw new InvalidResponseError('invalid next-page URL');
  const target = new URL(link, url);
  if (target.origin !== url.origin) {
    throw new InvalidResponseError(
      `the next-page URL points to ${target.origin}, but the token must not be sent there`,
    );
  }
  target.username = '';
  target.password = '';
  target.hash = '';
  if (seen.has(target.href)) throw new InvalidResponseError('pagination loop');
  return target;
}

/** Drops repeated elements: new builds push older ones to the next page. */
function createDeduplicator() {
  const seen = new Set<unknown>();
  return <T extends object>(page: readonly T[]): T[] => {
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

interface ListEvents {
  readonly more: () => void;
  /** Awaited before the last element of page 1, so that a caller can stop before page 2. */
  readonly beforeOthers: () => Promise<void>;
}

/** Yields the first `limit` elements of a list. Does not read further pages. */
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
