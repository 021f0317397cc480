/** Parts of a `where` clause with the values for their question marks. */
import type { Value, Row } from './database.ts';

export interface Condition {
  readonly where: string;
  readonly values: readonly Value[];
}

/** All that is given must hold; what is undefined asks nothing. */
export function every(conditions: readonly (Condition | undefined)[]): Condition {
  const parts = conditions.filter((part) => part !== undefined);
  return {
    where: parts.map(({ where }) => where).join(' and ') || '1',
    values: parts.flatMap(({ values }) => values),
  };
}

/** `left` is a column with an operator: `created_at >=`. */
export const compare = (left: string, value: Value | undefined): Condition | undefined =>
  value === undefined ? undefined : { where: `${left} ?`, values: [value] };

export const among = (
  column: string,
  values: readonly Value[] | undefined,
): Condition | undefined =>
  values && { where: `${column} in (${values.map(() => '?').join()})`, values };

// A piece of a list that may be long, found by what stands beside it and never by counting.

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

// Records as the `data` column has them.

export const writeRecord = (record: object): string => JSON.stringify(record);

/** The record of a row; only what `writeRecord` wrote is ever read. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the reader's word for what it wrote
export const readRecord = <T>(row: Row): T => JSON.parse(String(row.data)) as T;

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as above
export const readRecordMaybe = <T>(row: Row | undefined): T | undefined =>
  row === undefined ? undefined : readRecord<T>(row);

export const flag = (value: boolean): Value => (value ? 1 : 0);
