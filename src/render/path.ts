/**
 * The value at a dotted path. Only own members count, so that `constructor` finds nothing; inside
 * an array the path is read in every element. Missing is `undefined`.
 */
export function readPath(element: unknown, path: string): unknown {
  return path.split('.').reduce(readName, element);
}

function readName(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((element) => readName(element, name));
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/**
 * Whether there is a member at a dotted path, null or not. What lies inside null or an empty list
 * cannot be known, and counts as there.
 */
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
 * What is left of an element when only these paths are kept, nested as it was:
 * `pipeline.slug` gives `{"pipeline":{"slug":…}}`. A missing member becomes null.
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
