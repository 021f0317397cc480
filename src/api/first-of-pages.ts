import type { Pages } from './page.ts';

/** What a list calls while it is read. */
export interface ListEvents {
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
