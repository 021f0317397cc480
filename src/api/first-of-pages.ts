import type { Pages } from './page.ts';

/**
 * The first `limit` elements of a paginated list; calls `more` when the service has others. Reads
 * no page beyond the one that holds the last element.
 */
export async function* firstOfPages<T>(
  pages: Pages<T>,
  limit: number,
  more: () => void,
): AsyncGenerator<T> {
  let left = limit;
  for await (const { items, hasNext } of pages.pages()) {
    yield* items.slice(0, left);
    const surplus = items.length > left || (items.length === left && hasNext);
    left -= Math.min(left, items.length);
    if (left > 0) continue;
    if (surplus) more();
    return;
  }
}
