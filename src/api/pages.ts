import { readText } from '../http/body.ts';
import type { Answer } from '../http/follow.ts';
import { nextLink } from '../http/link.ts';
import type { Call } from './caller.ts';
import { decodeArray } from './decode.ts';
import type { Exchange } from './exchange.ts';
import { createFresh, createWalk, type Page, type Pages } from './page.ts';

/**
 * A list in pages; the next is asked for when the one before has been taken. What came before a
 * failure has been given.
 */
export const pages = <T extends object>(exchange: Exchange, call: Call): Pages<T> => ({
  pages: () => walkPages<T>(exchange, call),
  async *[Symbol.asyncIterator]() {
    for await (const { items } of walkPages<T>(exchange, call)) yield* items;
  },
});

async function* walkPages<T extends object>(
  exchange: Exchange,
  call: Call,
): AsyncGenerator<Page<T>> {
  const walk = createWalk(call);
  const fresh = createFresh();
  const read = async (answer: Answer): Promise<Read<T>> => ({
    items: decodeArray(await readText(answer)) as T[],
    answer,
  });
  for (let page = await exchange(call, read); ;) {
    const { items, answer } = page;
    yield { items: fresh(items), hasNext: nextLink(answer.headers['link']) !== undefined };
    const next = walk(answer);
    if (next === undefined) return;
    page = await exchange(call, read, next);
  }
}

interface Read<T> {
  readonly items: readonly T[];
  readonly answer: Answer;
}
