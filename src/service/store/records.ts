/** Records as the `data` column has them. */
import type { Row, Value } from './database.ts';

export const writeRecord = (record: object): string => JSON.stringify(record);

/** The record of a row; only what `writeRecord` wrote is ever read. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the reader's word for what it wrote
export const readRecord = <T>(row: Row): T => JSON.parse(String(row.data)) as T;

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as above
export const readRecordMaybe = <T>(row: Row | undefined): T | undefined =>
  row === undefined ? undefined : readRecord<T>(row);

export const flag = (value: boolean): Value => (value ? 1 : 0);
