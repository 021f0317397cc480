import type { Resource } from '../api/resources/resource.ts';

/**
 * The element with what is computed from it, as far as the paths ask for it: `duration`,
 * `jobs.duration`. What the service itself sends under such a name stays.
 *
 * @param now milliseconds since the epoch
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
