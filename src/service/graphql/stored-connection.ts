/** Connections over lists in the store: only the page itself is read, however long the list is. */
import type { Window } from '../store/window.ts';
import {
  connectionOf,
  defaultSize,
  edge,
  type Connection,
  type PageArguments,
} from './connection.ts';
import { isGiven, keyOf, sizeOf, wrongCursor } from './cursor.ts';

export interface StoredList<T> {
  /** Elements between two others; from its end, they come in the opposite order. */
  readonly window: (window: Window) => readonly T[] | Promise<readonly T[]>;
  readonly count: () => number | Promise<number>;
  readonly idOf: (element: T) => string;
  readonly isKnown: (id: string) => boolean;
  readonly node: (element: T) => unknown;
}

/** The piece that the arguments ask for. Throws where a size or a cursor is wrong. */
export async function storedConnection<T>(
  list: StoredList<T>,
  args: PageArguments,
): Promise<Connection> {
  const { first, last } = args;
  const fromEnd = isGiven(last) && !isGiven(first);
  const limit = fromEnd ? sizeOf('last', last) : sizeOf('first', first ?? defaultSize);
  const after = bound(list, args.after);
  const before = bound(list, args.before);
  // One more than asked for tells whether there are more.
  const found = await list.window({ after, before, limit: limit + 1, fromEnd });
  const more = found.length > limit;
  const page = fromEnd ? found.slice(0, limit).reverse() : found.slice(0, limit);
  const shown = isGiven(last) && !fromEnd ? lastOf(page, sizeOf('last', last)) : page;
  return connectionOf(
    shown.map((element) => edge(list.idOf, element, list.node)),
    list.count,
    after !== null || (fromEnd && more) || shown.length < page.length,
    before !== null || (!fromEnd && more),
  );
}

const lastOf = <T>(elements: readonly T[], size: number): readonly T[] =>
  size === 0 ? [] : elements.slice(-size);

function bound<T>(list: StoredList<T>, cursor: string | null | undefined): string | null {
  if (!isGiven(cursor)) return null;
  const id = keyOf(cursor);
  if (!list.isKnown(id)) throw wrongCursor(cursor);
  return id;
}
