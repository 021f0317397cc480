/** Lists in pieces: edges with cursors that stay good while others are added. */

export interface PageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

export interface Connection {
  readonly count: number;
  readonly edges: readonly { readonly cursor: string; readonly node: () => unknown }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

const defaultSize = 30;
const maxSize = 500;

/**
 * The piece of `keys`, in their order, that the arguments ask for; nodes are made when asked for.
 * Throws where a size or a cursor is wrong.
 */
export function connection(
  keys: readonly string[],
  { first, after, last, before }: PageArguments,
  node: (key: string) => unknown,
): Connection {
  const from = isGiven(after) ? position(keys, after) + 1 : 0;
  const to = isGiven(before) ? position(keys, before) : keys.length;
  let start = from;
  let end = Math.max(to, from);
  if (isGiven(first)) end = Math.min(end, start + size('first', first));
  else if (!isGiven(last)) end = Math.min(end, start + defaultSize);
  if (isGiven(last)) start = Math.max(start, end - size('last', last));
  const shown = keys.slice(start, end);
  const cursors = shown.map(cursorOf);
  return {
    count: keys.length,
    edges: shown.map((key) => ({ cursor: cursorOf(key), node: () => node(key) })),
    pageInfo: {
      hasNextPage: end < keys.length,
      hasPreviousPage: start > 0,
      startCursor: cursors[0] ?? null,
      endCursor: cursors.at(-1) ?? null,
    },
  };
}

const isGiven = <T>(value: T | null | undefined): value is T =>
  value !== null && value !== undefined;

function size(name: string, value: number): number {
  if (value >= 0 && value <= maxSize) return value;
  throw new Error(`\`${name}\` must be between 0 and ${maxSize}`);
}

const cursorOf = (key: string): string => Buffer.from(`cursor---${key}`).toString('base64');

function position(keys: readonly string[], cursor: string): number {
  const [, key = ''] = Buffer.from(cursor, 'base64').toString().split('---');
  const at = keys.indexOf(key);
  if (at < 0) throw new Error(`"${cursor}" is no cursor of this list`);
  return at;
}
