import type { Window } from '../store/sql.ts';

export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

interface Edge {
  readonly cursor: string;
  readonly node: () => unknown;
}

export type Connection = ReturnType<typeof connectionOf>;

export const defaultSize = 30;
const maxSize = 500;

/** One page of a list in memory. Throws if a size or a cursor is invalid. */
export function connection<T>(
  elements: readonly T[],
  { first, after, last, before }: PageArguments,
  keyOfElement: (element: T) => string,
  node: (element: T) => unknown,
): Connection {
  const keys = elements.map(keyOfElement);
  const from = isGiven(after) ? position(keys, after) + 1 : 0;
  const to = isGiven(before) ? position(keys, before) : keys.length;
  let start = from;
  let end = Math.max(to, from);
  if (isGiven(first)) end = Math.min(end, start + sizeOf('first', first));
  else if (!isGiven(last)) end = Math.min(end, start + defaultSize);
  if (isGiven(last)) start = Math.max(start, end - sizeOf('last', last));
  const edges = elements.slice(start, end).map((element) => edge(keyOfElement, element, node));
  return connectionOf(edges, () => elements.length, start > 0, end < elements.length);
}

export const idOf = ({ id }: { readonly id: string }): string => id;

/** Returns an empty connection, for objects that this service does not have (clusters, teams). */
export const nothing = (): Connection => connectionOf([], () => 0, false, false);

function position(keys: readonly string[], cursor: string): number {
  const at = keys.indexOf(keyOf(cursor));
  if (at < 0) throw wrongCursor(cursor);
  return at;
}

/** A list in the store. Only the requested page is read. */
export interface StoredList<T> {
  /** Returns elements from the end, in reverse order, if `fromEnd` is set. */
  readonly window: (window: Window) => readonly T[] | Promise<readonly T[]>;
  readonly count: () => number | Promise<number>;
  readonly idOf: (element: T) => string;
  readonly isKnown: (id: string) => boolean;
  readonly node: (element: T) => unknown;
}

export async function storedConnection<T>(
  list: StoredList<T>,
  args: PageArguments,
): Promise<Connection> {
  const { first, last } = args;
  const fromEnd = isGiven(last) && !isGiven(first);
  const limit = fromEnd ? sizeOf('last', last) : sizeOf('first', first ?? defaultSize);
  const after = bound(list, args.after);
  const before = bound(list, args.before);
  // Reads one more element than requested to find out whether there is another page.
  const found = await list.window({ after, before, limit: limit + 1, fromEnd });
  const more = found.length > limit;
  const page = fromEnd ? found.slice(0, limit).reverse() : found.slice(0, limit);
  const shown =
    isGiven(last) && !fromEnd ? page.slice(Math.max(0, page.length - sizeOf('last', last))) : page;
  return connectionOf(
    shown.map((element) => edge(list.idOf, element, list.node)),
    list.count,
    after !== null || (fromEnd && more) || shown.length < page.length,
    before !== null || (!fromEnd && more),
  );
}

function bound<T>(list: StoredList<T>, cursor: string | null | undefined): string | null {
  if (!isGiven(cursor)) return null;
  const id = keyOf(cursor);
  if (!list.isKnown(id)) throw wrongCursor(cursor);
  return id;
}

const edge = <T>(
  keyOfElement: (element: T) => string,
  element: T,
  node: (element: T) => unknown,
): Edge => ({ cursor: cursorOf(keyOfElement(element)), node: () => node(element) });

const connectionOf = (
  edges: readonly Edge[],
  count: () => number | Promise<number>,
  hasPreviousPage: boolean,
  hasNextPage: boolean,
) => ({
  count,
  edges,
  pageInfo: {
    hasNextPage,
    hasPreviousPage,
    startCursor: edges[0]?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  },
});

const isGiven = <T>(value: T | null | undefined): value is T =>
  value !== null && value !== undefined;

function sizeOf(name: string, value: number): number {
  if (value >= 0 && value <= maxSize) return value;
  throw new Error(`\`${name}\` must be between 0 and ${maxSize}`);
}

export const cursorOf = (key: string): string => Buffer.from(`cursor---${key}`).toString('base64');

/** Returns an empty string for an invalid cursor. */
const keyOf = (cursor: string): string =>
  /^cursor---(.*)$/s.exec(Buffer.from(cursor, 'base64').toString())?.[1] ?? '';

const wrongCursor = (cursor: string): Error =>
  new Error(`"${cursor}" is not a valid cursor for this list`);

/** Converts a time argument to milliseconds. Throws if it is invalid. */
export function instant(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Error(`"${text}" is not a valid time`);
  return at;
}
