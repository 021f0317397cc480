/** Lists in pieces: edges with cursors that stay good while others are added. */
import { cursorOf, isGiven, keyOf, sizeOf, wrongCursor } from './cursor.ts';

export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

export interface Connection {
  readonly count: () => number | Promise<number>;
  readonly edges: readonly Edge[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

export interface Edge {
  readonly cursor: string;
  readonly node: () => unknown;
}

export const defaultSize = 30;

/**
 * The piece of a list that is at hand as a whole, in its order, that the arguments ask for; nodes
 * are made when asked for. Throws where a size or a cursor is wrong.
 */
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

export const edge = <T>(
  keyOfElement: (element: T) => string,
  element: T,
  node: (element: T) => unknown,
): Edge => ({ cursor: cursorOf(keyOfElement(element)), node: () => node(element) });

export const connectionOf = (
  edges: readonly Edge[],
  count: () => number | Promise<number>,
  hasPreviousPage: boolean,
  hasNextPage: boolean,
): Connection => ({
  count,
  edges,
  pageInfo: {
    hasNextPage,
    hasPreviousPage,
    startCursor: edges[0]?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  },
});

/** Of what there is none here (clusters, teams). */
export const nothing = (): Connection => connectionOf([], () => 0, false, false);

function position(keys: readonly string[], cursor: string): number {
  const at = keys.indexOf(keyOf(cursor));
  if (at < 0) throw wrongCursor(cursor);
  return at;
}
