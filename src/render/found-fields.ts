import type { Resource } from '../api/resources/resource.ts';
import { unknownField } from './fields.ts';
import { hasPath } from './path.ts';

/** The elements of a page, at most: where a list comes in pages, the first one decides. */
const maxExamined = 100;

/**
 * The same elements, given on as soon as each of the paths was found in one of them. Throws
 * `CictlError` of kind `usage`, before it has given any, where a path is in none of the first page,
 * or of all where they come in one piece. An empty list has every name.
 */
export async function* requireFoundFields(
  resource: Resource,
  paths: readonly string[],
  elements: AsyncIterable<object> | Iterable<object>,
): AsyncGenerator<object> {
  const max = Array.isArray(elements) ? Infinity : maxExamined;
  const examined: object[] = [];
  let missing = paths;
  for await (const element of elements) {
    if (missing.length === 0) {
      yield element;
      continue;
    }
    examined.push(element);
    missing = missing.filter((path) => !hasPath(element, path));
    if (missing.length === 0) yield* examined;
    else if (examined.length >= max) break;
  }
  const [first] = missing;
  if (first !== undefined && examined.length > 0) throw unknownField(resource, first, examined);
}
