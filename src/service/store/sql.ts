import type { Database, Value, Row } from './database.ts';

/** Part of a `where` clause, with the values for its placeholders. */
export interface Condition {
  readonly where: string;
  readonly values: readonly Value[];
}

export function every(conditions: readonly (Condition | undefined)[]): Condition {
  const parts = conditions.filter((part) => part !== undefined);
  return {
    where: parts.map(({ where }) => where).join(' and ') || '1',
    values: parts.flatMap(({ values }) => values),
  };
}

/** `left` is a column with an operator, such as `created_at >=`. */
export const compare = (left: string, value: Value | undefined): Condition | undefined =>
  value === undefined ? undefined : { where: `${left} ?`, values: [value] };

export const among = (
  column: string,
  values: readonly Value[] | undefined,
): Condition | undefined =>
  values && { where: `${column} in (${values.map(() => '?').join()})`, values };

/** A page of a long list. `after` and `before` are the IDs of the items around the page. */
export interface Window {
  /** Null if the page is not limited on this side. */
  readonly after: string | null;
  readonly before: string | null;
  readonly limit: number;
  /** Whether to read the last items, in reverse order, instead of the first ones. */
  readonly fromEnd: boolean;
}

export function windowSql(
  table: string,
  keys: readonly string[],
  window: Window,
): Condition & { readonly orderBy: string } {
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

export function insert(database: Database, table: string, row: Row): void {
  const names = Object.keys(row);
  const sql = `insert into ${table} (${names.join()}) values (${names.map(() => '?').join()})`;
  database.run(sql, ...Object.values(row));
}

/** Returns the column `n` of a single row. */
export const readNumber = (database: Database, sql: string, ...values: Value[]): number =>
  Number(database.get(sql, ...values)?.n);

export const readIds = (database: Database, sql: string, ...values: Value[]): string[] =>
  database.all(sql, ...values).map(({ id }) => String(id));

export const writeRecord = (record: object): string => JSON.stringify(record);

/** Returns the record in the `data` column as the type that the caller specifies. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller states the type that was written
export const readRecord = <T>(row: Row): T => JSON.parse(String(row.data)) as T;

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as above
export function findRecord<T>(database: Database, sql: string, ...values: Value[]): T | undefined {
  const row = database.get(sql, ...values);
  return row && readRecord<T>(row);
}

export const flag = (value: boolean): Value => (value ? 1 : 0);
