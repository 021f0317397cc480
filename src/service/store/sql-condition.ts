/** Parts of a `where` clause with the values for their question marks. */
import type { Value } from './database.ts';

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
