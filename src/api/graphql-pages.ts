import { CictlError, usageError } from '../errors.ts';
import type { GraphqlAnswer, GraphqlRequest } from './graphql.ts';
import { isRecord } from './reasons.ts';

/** Runs a query again and again, each time with the cursor at which the page before ended. */
export function graphqlPages(
  query: (request: GraphqlRequest) => Promise<GraphqlAnswer>,
  request: GraphqlRequest,
): AsyncIterable<GraphqlAnswer> {
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
  query: (request: GraphqlRequest) => Promise<GraphqlAnswer>,
  request: GraphqlRequest,
): AsyncGenerator<GraphqlAnswer> {
  const seen = new Set<string>();
  let { variables } = request;
  for (;;) {
    const answer = await query(variables === undefined ? request : { ...request, variables });
    yield answer;
    const cursor = nextCursor(answer.data);
    if (cursor === undefined) return;
    if (seen.has(cursor)) {
      throw new CictlError(
        'invalid_response',
        'cannot read the next page: its pages go round in a circle',
      );
    }
    seen.add(cursor);
    variables = { ...variables, endCursor: cursor };
  }
}

/** From the outermost `pageInfo`: breadth first. */
function nextCursor(data: unknown): string | undefined {
  for (let level = [data]; level.length > 0; level = level.flatMap(inside)) {
    for (const node of level) {
      if (!isRecord(node) || !isRecord(node['pageInfo'])) continue;
      const { hasNextPage, endCursor } = node['pageInfo'];
      return hasNextPage === true && typeof endCursor === 'string' ? endCursor : undefined;
    }
  }
  return undefined;
}

const inside = (node: unknown): unknown[] =>
  typeof node === 'object' && node !== null ? Object.values(node) : [];
