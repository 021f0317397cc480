import type { Column, Member, Members, Resource } from '../api/resources/resource.ts';
import { usageError } from '../errors.ts';

/**
 * The columns that `--fields` asks for, in its order. Throws `CictlError` of kind `usage`, which
 * lists the names there are; needs no request, so it is to be called before the first one.
 */
export function checkFields(resource: Resource, names: readonly string[]): Column[] {
  const paths = names.map((name) => name.trim()).filter((name) => name !== '');
  if (paths.length === 0) throw refuse(resource, 'names nothing');
  for (const path of paths) {
    if (!exists(resource.members, path))
      throw refuse(resource, `names ${JSON.stringify(path)}, which is unknown`);
  }
  return paths.map((path) => ({ path, heading: path.toUpperCase() }));
}

/** The names that `--fields` takes for a resource; those inside embedded resources with a dot. */
export const fieldNames = (resource: Resource): string[] =>
  Object.entries(resource.members).flatMap(([name, member]) => [
    name,
    ...namesInside(name, member),
  ]);

const namesInside = (name: string, { of }: Member): string[] =>
  of === undefined ? [] : Object.keys(of.members).map((inner) => `${name}.${inner}`);

function exists(members: Members, path: string): boolean {
  const dot = path.indexOf('.');
  const name = dot === -1 ? path : path.slice(0, dot);
  const member = Object.hasOwn(members, name) ? members[name] : undefined;
  if (member === undefined || dot === -1) return member !== undefined;
  if (member.of !== undefined) return exists(member.of.members, path.slice(dot + 1));
  // What is inside these is not described: any name may be there.
  return member.kind === 'map' || member.kind === 'json';
}

function refuse(resource: Resource, problem: string): Error {
  const names = Object.entries(resource.members).map(([name, { of }]) =>
    of === undefined ? name : `${name}, ${name}.…`,
  );
  return usageError(`--fields ${problem}: ${resource.plural} have ${names.join(', ')}`);
}
