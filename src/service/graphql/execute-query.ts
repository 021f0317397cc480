/** Runs queries and mutations. Loaded with the first one. */
import { execute, GraphQLError, parse, type DocumentNode, type ExecutionResult } from 'graphql';
import type { ServiceContext } from '../service-context.ts';
import type { Caller } from '../http/route.ts';
import { isStorageError } from '../store/database.ts';
import { check, schema } from './check.ts';
import { Cost, resolveField } from './limit-cost.ts';
import { maxDepth, limitComplexity, limitDepth, tooDeep } from './limit-query.ts';
import { allMutations } from './mutations/all-mutations.ts';
import { queriesOf } from './queries.ts';
import { textDepth } from './query-depth.ts';
import { graphqlContext } from './context.ts';
import { allNodes } from './nodes/all-nodes.ts';
import { createTurns } from './turns.ts';

/** Against queries made to cost: the largest of real clients have some 500. */
const maxTokens = 10_000;

export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

/**
 * The body of the response; what is wrong with a query, and what was refused, is in its `errors`.
 * Throws only what the store throws where nothing can be written.
 */
export async function executeQuery(
  { service, caller }: { readonly service: ServiceContext; readonly caller: Caller },
  { query, variables, operationName }: GraphqlRequest,
): Promise<ExecutionResult> {
  try {
    const document = parseQuery(query);
    limitDepth(document);
    const errors = check(document);
    if (errors.length > 0) return { errors };
    limitComplexity(schema, document, operationName, variables);
    const turns = createTurns();
    const context = graphqlContext(service, caller, allNodes, turns);
    const cost = new Cost(turns);
    const result = await execute({
      schema,
      fieldResolver: resolveField,
      contextValue: cost,
      document,
      rootValue: { ...queriesOf(context), ...allMutations(context) },
      variableValues: variables,
      operationName: operationName ?? null,
    });
    return cost.check(withoutStorageErrors(result));
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    if (isTooDeep(error)) return { errors: [tooDeep(textDepth(query, maxTokens))] };
    throw error;
  }
}

/** What has too many tokens to be parsed may be too deep as well, which says more. */
function parseQuery(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens });
  } catch (error) {
    const depth = textDepth(query, maxTokens);
    throw error instanceof GraphQLError && depth > maxDepth ? tooDeep(depth) : error;
  }
}

/** The parser and the rules call themselves for each level; what ends them is the stack. */
const isTooDeep = (error: unknown): boolean => error instanceof RangeError;

/** As elsewhere, they are errors of the service, not of the query. */
function withoutStorageErrors(result: ExecutionResult): ExecutionResult {
  const storageError = result.errors?.find(({ originalError }) => isStorageError(originalError));
  if (storageError !== undefined) throw storageError.originalError ?? storageError;
  return result;
}
