import type { Column, Member, Resource } from '../api/resources/resource.ts';
import { usageError } from '../errors.ts';

/** What `--fields` names: the columns in its order, and of their paths those not described. */
export interface Selection {
  readonly columns: readonly Column[];
  readonly unknown: readonly string[];
}

/**
 * Reads `--fields`. A name that the specification has not may be that of a newer member, which
 * only the response shows: `unknown`. Throws `CictlError` of kind `usage` for what is no name.
 */
export function selectFields(resource: Resource, names: readonly string[]): Selection {
  const paths = names.map((name) => name.trim()).filter((name) => name !== '');
  if (paths.length === 0) throw refuseFields(resource, 'names nothing');
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
 * The columns, where only the names of the specification count: nothing may be sent for one that
 * is misspelt. Throws `CictlError` of kind `usage`, which lists the names there are.
 */
export function checkFields(resource: Resource, names: readonly string[]): readonly Column[] {
  const { columns, unknown } = selectFields(resource, names);
  const [first] = unknown;
  if (first !== undefined) throw unknownField(resource, first);
  return columns;
}

/** The error for a name that neither the specification nor an element has. */
export const unknownField = (
  resource: Resource,
  path: string,
  elements: readonly object[] = [],
): Error => refuseFields(resource, `names ${JSON.stringify(path)}, which is unknown`, elements);

/** The names that `--fields` takes for a resource; those inside embedded resources with a dot. */
export const fieldNames = (resource: Resource): string[] => [
  ...Object.entries(resource.members).flatMap(([name, member]) => [
    name,
    ...namesInside(name, member),
  ]),
  ...Object.keys(resource.computed ?? {}),
];

const namesInside = (name: string, { of }: Member): string[] =>
  of === undefined ? [] : Object.keys(of.members).map((inner) => `${name}.${inner}`);

function exists({ members, computed = {} }: Resource, path: string): boolean {
  const dot = path.indexOf('.');
  const name = dot === -1 ? path : path.slice(0, dot);
  const member = Object.hasOwn(members, name) ? members[name] : undefined;
  if (dot === -1) return member !== undefined || Object.hasOwn(computed, name);
  if (member === undefined) return false;
  if (member.of !== undefined) return exists(member.of, path.slice(dot + 1));
  // What is inside these is not described: any name may be there.
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
  return usageError(`--fields ${problem}: ${plural} have ${names.join(', ')}`);
}

/** A service may send objects with any number of names. */
const maxOthers = 50;
