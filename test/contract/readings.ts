/** Checks responses against the field tables, member by member. */
import { tables, type Table, type TableName } from './tables.ts';

/** A member of a table with its value in a response. */
export interface Reading {
  /** `Build: state`. */
  readonly member: string;
  readonly value: unknown;
}

/** Every member of every table in a response of the type. */
export function readings(answer: unknown, type: string): Reading[] {
  const elements = elementsOf(answer, type);
  if (elements !== undefined) return elements.flatMap((one) => readings(one, innerOf(type)));
  if (!isObject(answer)) return [];
  return tablesOf(bare(type), answer).flatMap((table) =>
    Object.entries<string>(tables[table]).flatMap(([name, kind]) => [
      { member: `${table}: ${name}`, value: answer[name] },
      ...readings(answer[name], kind),
    ]),
  );
}

/** Errors in a response as a whole; members are checked separately. */
export const misfits = (answer: unknown, type: string): string[] =>
  [{ member: 'answer', value: answer }, ...readings(answer, type)]
    .filter(({ member, value }) => !fits(value, typeOf(member) ?? type))
    .map(
      ({ member, value }) =>
        `${member} is ${value === undefined ? 'missing' : JSON.stringify(value)}`,
    );

/** The type of a table's member. */
export function typeOf(member: string): string | undefined {
  const [table = '', name = ''] = member.split(': ');
  const { [table]: types }: Readonly<Record<string, Table>> = tables;
  return types?.[name];
}

/** Whether a value has a type; does not check the members of a table. */
export function fits(value: unknown, type: string): boolean {
  if (value === null) return type === 'null' || type.endsWith('?');
  if (value === undefined) return type.endsWith('-');
  const elements = elementsOf(value, type);
  if (elements !== undefined) return elements.every((one) => fits(one, innerOf(type)));
  const kind = bare(type);
  const check = kind in tables ? isObject : checks[kind];
  return check?.(value) ?? false;
}

/** The elements of an array or map, if both the type and the value are one. */
function elementsOf(value: unknown, type: string): unknown[] | undefined {
  const kind = bare(type);
  if (kind.startsWith('[') && Array.isArray(value)) return value as unknown[];
  return kind.startsWith('{') && isObject(value) ? Object.values(value) : undefined;
}

const bare = (type: string): string => type.replace(/[?-]$/, '');
const innerOf = (type: string): string => bare(type).slice(1, -1);

/** A manual job has an additional table; an agent has a table for each form in which it is sent. */
function tablesOf(type: string, value: Readonly<Record<string, unknown>>): TableName[] {
  if (type === 'Job' && value['type'] === 'manual') return ['Job', 'Manual job'];
  if (type === 'Agent' && !('hostname' in value)) return ['Agent in a list'];
  return type in tables ? [type as TableName] : [];
}

type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);

const checks: Readonly<Record<string, Check>> = {
  string: (value) => typeof value === 'string',
  text: isText(/./),
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  uuid: isText(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
  url: isText(/^https?:\/\/[^\s/]+\/\S*$/),
  time: isText(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  anyTime: isText(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d\.\d{3}Z| \d\d:\d\d:\d\d UTC)$/),
  object: isObject,
  strings: (value) =>
    isObject(value) && Object.values(value).every((one) => typeof one === 'string'),
};
