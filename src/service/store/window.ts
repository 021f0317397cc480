/** A piece of a list that may be long, found by what stands beside it and never by counting. */
import type { Value } from './database.ts';

export interface Window {
  /** Ids of elements that the piece lies between; null where it is open. */
  readonly after: string | null;
  readonly before: string | null;
  readonly limit: number;
  /** The last elements in place of the first. */
  readonly fromEnd: boolean;
}

interface Piece {
  readonly where: string;
  readonly values: readonly Value[];
  readonly orderBy: string;
}

/**
 * The window as SQL, for rows of `table` that come in descending order of `keys`, expressions over
 * its alias `t`. Read from the end, the rows come in the opposite order.
 */
export function windowSql(table: string, keys: readonly string[], window: Window): Piece {
  const key = `(${keys.join(', ')})`;
  const other = `(select ${keys.map((one) => one.replaceAll('t.', 'o.')).join(', ')}
    from ${table} o where o.id = ?)`;
  const bounds = [
    { sign: '<', id: window.after },
    { sign: '>', id: window.before },
  ].filter(({ id }) => id !== null);
  return {
    where: ['1', ...bounds.map(({ sign }) => `${key} ${sign} ${other}`)].join(' and '),
    values: bounds.map(({ id }) => id),
    orderBy: keys.map((one) => `${one} ${window.fromEnd ? 'asc' : 'desc'}`).join(', '),
  };
}
