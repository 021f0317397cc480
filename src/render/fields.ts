import type { Column, Resource } from '../api/resources/resource.ts';
import { usageError } from '../errors.ts';

interface Selection {
  readonly columns: readonly Column[];
  readonly unknown: readonly string[];
}

/**
 * Parses `--fields`. Names that are not in the specification are returned as `unknown`, because
 * only the response shows whether they are new fields. Usage error for invalid names.
 */
export function selectFields(resource: Resource, names: readonly string[]): Selection {
  const paths = names.map((name) => name.trim()).filter((name) => name !== '');
  if (paths.length === 0) throw refuseFields(resource, 'has no field name');
  const odd = paths.find((path) => path.split('.').includes(''));
  if (odd !== undefined) throw unknownField(resource, odd);
  return {
    columns: paths.map((path) => ({
      ...{ path, heading: path.toUpperCase() },
      ...(/(?:^|\.)state$/.test(path) && { isOwn: true }),
    })),
    unknown: paths.filter((path) => !exists(resource, path)),
  };
}

/**
 * Rejects names that are not in the specification. Used before a change, so that nothing is sent if
 * a name is misspelled.
 */
export function checkFields(resource: Resource, names: readonly string[]): readonly Column[] {
  const { columns, unknown } = selectFields(resource, names);
  const [first] = unknown;
  if (first !== undefined) throw unknownField(resource, first);
  return columns;
}

/** The error for a name that is neither in the specification nor in an element. */
export const unknownField = (
  resource: Resource,
  path: string,
  elements: readonly object[] = [],
): Error => refuseFields(resource, `contains the unknown field ${JSON.stringify(path)}`, elements);

function exists({ members, computed = {} }: Resource, path: string): boolean {
  const dot = path.indexOf('.');
  const name = dot === -1 ? path : path.slice(0, dot);
  const member = Object.hasOwn(members, name) ? members[name] : undefined;
  if (dot === -1) return member !== undefined || Object.hasOwn(computed, name);
  if (member === undefined) return false;
  if (member.of !== undefined) return exists(member.of, path.slice(dot + 1));
  // The specification does not list the fields of open objects.
  return member.kind === 'map' || member.kind === 'json';
}

function refuseFields(
  { plural, members, computed = {} }: Resource,
  problem: string,
  elements: readonly object[] = [],
): Error {
  const described = Object.entries(members).map(([name, { of }]) =>
    of === undefined ? name : `${name}, ${name}.…`,
  );
  const sent = new Set(elements.flatMap(Object.keys));
  const others = [...sent].filter((name) => !Object.hasOwn(members, name)).slice(0, maxOthers);
  const names = [...described, ...Object.keys(computed), ...others];
  return usageError(`--fields ${problem}; fields of ${plural}: ${names.join(', ')}`);
}

const maxOthers = 50;

/** Reads a dotted path, from each element of an array. Ignores inherited properties. */
export const readPath = (element: unknown, path: string): unknown =>
  path.split('.').reduce(readName, element);

function readName(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((element) => readName(element, name));
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** Whether a field exists, even if null. A path into null or an empty list counts as existing. */
export const hasPath = (element: unknown, path: string): boolean => has(element, path.split('.'));

function has(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined || value === null) return true;
  if (Array.isArray(value)) {
    return value.length === 0 || value.some((element) => has(element, [name, ...rest]));
  }
  if (typeof value !== 'object' || !Object.hasOwn(value, name)) return false;
  return has((value as Record<string, unknown>)[name], rest);
}

/**
 * Keeps only these paths, with their nesting: `pipeline.slug` becomes `{"pipeline":{"slug":…}}`.
 * Missing fields become null.
 */
export function pickPaths(element: unknown, paths: readonly string[]): unknown {
  const names = new Map<string, string[]>();
  for (const path of paths) {
    const [name = '', ...rest] = path.split('.');
    const inner = names.get(name) ?? [];
    if (rest.length > 0) inner.push(rest.join('.'));
    names.set(name, inner);
  }
  return pickNames(element, names, new Set(paths));
}

type Names = ReadonlyMap<string, readonly string[]>;

function pickNames(value: unknown, names: Names, whole: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((element) => pickNames(element, names, whole));
  if (typeof value !== 'object' || value === null) return null;
  const entries = [...names].map(([name, inner]): [string, unknown] => {
    const found = readName(value, name) ?? null;
    return [name, whole.has(name) || found === null ? found : pickPaths(found, inner)];
  });
  return Object.fromEntries(entries);
}

/**
 * Adds the computed fields that the paths name, such as `duration` and `jobs.duration`, unless the
 * service sent a field with the same name. `now` is in milliseconds.
 */
export const withComputed = (
  resource: Resource,
  element: object,
  paths: readonly string[],
  now: number,
): object => paths.reduce((result, path) => addAt(resource, result, path.split('.'), now), element);

function addAt(
  resource: Resource,
  element: object,
  [name = '', ...rest]: readonly string[],
  now: number,
): object {
  const members = element as Readonly<Record<string, unknown>>;
  const replace = (value: unknown): object => ({ ...element, [name]: value });
  if (rest.length === 0) {
    const compute = own(resource.computed ?? {}, name);
    return compute === undefined || Object.hasOwn(element, name)
      ? element
      : replace(compute(members, now));
  }
  const inner = own(resource.members, name)?.of;
  if (inner === undefined || !Object.hasOwn(element, name)) return element;
  const add = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? addAt(inner, value, rest, now) : value;
  const value = members[name];
  return replace(Array.isArray(value) ? value.map(add) : add(value));
}

const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
