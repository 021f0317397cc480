import { readText } from '../http/read-body.ts';
import type { FinalResponse } from '../http/redirects.ts';
import { decodeArray } from './decode.ts';
import type { SendRequest } from './request.ts';
import { createFresh, createWalk, onPage, type Page, type Pages } from './page.ts';
import type { Call } from './call.ts';

/**
 * A list in pages; the next is asked for when the one before has been taken. What came before a
 * failure has been given.
 */
export const pages = <T extends object>(exchange: SendRequest, call: Call): Pages<T> => ({
  pages: () => walkPages<T>(exchange, call),
  async *[Symbol.asyncIterator]() {
    for await (const { items } of walkPages<T>(exchange, call)) yield* items;
  },
});

async function* walkPages<T extends object>(
  exchange: SendRequest,
  call: Call,
): AsyncGenerator<Page<T>> {
  const walk = createWalk(call);
  const fresh = createFresh();
  const read = async (answer: FinalResponse): Promise<Read<T>> => ({
    items: decodeArray(await readText(answer)) as T[],
    answer,
  });
  let page = await exchange(call, read);
  for (let count = 1; ; count++) {
    const items = fresh(page.items);
    const next = nextOf(() => walk(page.answer, items.length > 0));
    // What came is given before it is told that there is no way on.
    yield { items, hasNext: next.fault !== undefined || next.target !== undefined };
    if (next.fault !== undefined) throw next.fault;
    const { target } = next;
    if (target === undefined) return;
    page = await exchange(onPage(call, target, count + 1), read, target);
  }
}

interface Read<T> {
  readonly items: readonly T[];
  readonly answer: FinalResponse;
}

function nextOf(walk: () => URL | undefined): { target?: URL | undefined; fault?: Error } {
  try {
    return { target: walk() };
  } catch (error) {
    return { fault: error as Error };
  }
}
