import { readBodyText } from '../http/read-body.ts';
import { lastLink } from '../http/link.ts';
import type { FinalResponse } from '../http/redirects.ts';
import { decodeArray } from './decode.ts';
import type { SendRequest } from './send-request.ts';
import { createDeduplicator, createNextPageFinder, onPage, type Page, type Pages } from './page.ts';
import type { PageWindow } from './page-window.ts';
import { toCictlError } from './to-cictl-error.ts';
import type { Call } from './call.ts';

/** Fetches pages before they are read, where the first page says how; undefined where it does not. */
export type FetchAhead = (
  call: Call,
  first: FirstPage,
) => Promise<PageWindow<SentPage> | undefined>;

export interface FirstPage extends SentPage {
  readonly next: URL;
  readonly elements: readonly object[];
}

/** A page as it was sent: large lists are kept so until they are read. */
export interface SentPage {
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
