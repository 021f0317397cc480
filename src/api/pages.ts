import { readBodyText } from '../http/read-body.ts';
import type { FinalResponse } from '../http/redirects.ts';
import { decodeArray } from './decode.ts';
import type { SendRequest } from './send-request.ts';
import { createDeduplicator, createNextPageFinder, onPage, type Page, type Pages } from './page.ts';
import type { Call } from './call.ts';

/**
 * A list in pages; the next is requested when the one before was consumed. What came before a
 * failure was yielded.
 */
export const pages = <T extends object>(send: SendRequest, call: Call): Pages<T> => ({
  pages: () => walkPages<T>(send, call),
  async *[Symbol.asyncIterator]() {
    for await (const { items } of walkPages<T>(send, call)) yield* items;
  },
});

async function* walkPages<T extends object>(
  send: SendRequest,
  call: Call,
): AsyncGenerator<Page<T>> {
  const findNextPage = createNextPageFinder(call);
  const deduplicate = createDeduplicator();
  const read = async (response: FinalResponse): Promise<PageContent<T>> => ({
    items: decodeArray(await readBodyText(response)) as T[],
    response,
  });
  let page = await send(call, read);
  for (let count = 1; ; count++) {
    const items = deduplicate(page.items);
    const next = nextOf(() => findNextPage(page.response, items.length > 0));
    // The elements are yielded before the error that there is no next page.
    yield { items, hasNext: next.error !== undefined || next.target !== undefined };
    if (next.error !== undefined) throw next.error;
    const { target } = next;
    if (target === undefined) return;
    page = await send(onPage(call, target, count + 1), read, target);
  }
}

interface PageContent<T> {
  readonly items: readonly T[];
  readonly response: FinalResponse;
}

function nextOf(findNextPage: () => URL | undefined): { target?: URL | undefined; error?: Error } {
  try {
    return { target: findNextPage() };
  } catch (error) {
    return { error: error as Error };
  }
}
