import { CictlError, usageError } from '../errors.ts';
import type { GraphqlResponse, GraphqlRequest } from './graphql.ts';
import { isRecord } from './error-body.ts';
import { typeName } from './resources/check.ts';

/**
 * Runs a query again and again, each time with the cursor at which the page before ended. A page
 * that does not say how to go on ends the walk with code 9: it is not the end of the list.
 */
export function graphqlPages(
  query: (request: GraphqlRequest) => Promise<GraphqlResponse>,
  request: GraphqlRequest,
): AsyncIterable<GraphqlResponse> {
  check(request.query);
  return walk(query, request);
}

function check(query: string): void {
  const hasCursor = /\$endCursor\s*:\s*String\b/.test(query);
  const [, asked = ''] = /\bpageInfo\s*\{([^}]*)\}/.exec(query) ?? [];
  if (hasCursor && /\bhasNextPage\b/.test(asked) && /\bendCursor\b/.test(asked)) return;
  throw usageError(
    'the query cannot be paged: it needs the variable $endCursor: String and pageInfo { hasNextPage endCursor }',
    'cictl help graphql',
  );
}

async function* walk(
  query: (request: GraphqlRequest) => Promise<GraphqlResponse>,
  request: GraphqlRequest,
): AsyncGenerator<GraphqlResponse> {
  const seen = new Set<string>();
  let { variables } = request;
  for (let number = 1; ; number++) {
    const answer = await query(variables === undefined ? request : { ...request, variables });
    yield answer;
    const cursor = nextCursor(answer.data, number);
    if (cursor === undefined) return;
    if (seen.has(cursor)) throw noNextPage(number, 'its pages go round in a circle');
    seen.add(cursor);
    variables = { ...variables, endCursor: cursor };
  }
}

/** Where the next page begins, as the outermost `pageInfo` says; undefined at the end. */
function nextCursor(data: unknown, number: number): string | undefined {
  if (!isRecord(data)) throw noNextPage(number, `data is ${typeName(data)} instead of an object`);
  const info = pageInfo(data);
  // What was never there has no pages; what was there a page ago does not end like that.
  if (info === undefined && number === 1) return undefined;
  if (info === undefined) throw noNextPage(number, 'there is no pageInfo any more');
  const { hasNextPage, endCursor } = info;
  if (hasNextPage === false) return undefined;
  if (hasNextPage !== true) {
    throw noNextPage(number, `hasNextPage is ${typeName(hasNextPage)} instead of a boolean`);
  }
  if (typeof endCursor === 'string') return endCursor;
  throw noNextPage(number, `endCursor is ${typeName(endCursor)} instead of a string`);
}

/** Breadth first. */
function pageInfo(data: unknown): Record<string, unknown> | undefined {
  for (let level = [data]; level.length > 0; level = level.flatMap(inside)) {
    const found = level.find((node) => isRecord(node) && isRecord(node['pageInfo']));
    if (isRecord(found) && isRecord(found['pageInfo'])) return found['pageInfo'];
  }
  return undefined;
}

const inside = (node: unknown): unknown[] =>
  typeof node === 'object' && node !== null ? Object.values(node) : [];

const noNextPage = (number: number, why: string): CictlError =>
  new CictlError('invalid_response', `cannot read what follows page ${number}: ${why}`);
