/** Refuses what would cost too much, before any of it runs. */
import {
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import type { Variables } from './field-size.ts';
import { queryComplexity } from './query-complexity.ts';
import { queryDepth } from './query-depth.ts';

/** Fields in one another. */
export const maxDepth = 15;

/** Fields, each as often as the connections around it are long. */
const maxComplexity = 50_000;

/**
 * Throws where fields lie too deep in one another. It asks for no valid query: the rules themselves
 * take long over one that is deep.
 */
export function limitDepth(document: DocumentNode): void {
  const depth = queryDepth(document);
  if (depth > maxDepth) throw tooDeep(depth);
}

/** What is said of a query with fields so deep in one another. */
export const tooDeep = (depth: number): GraphQLError =>
  tooMuch('depth', depth, maxDepth, 'ask for what lies deep by its id');

/**
 * Throws where the operation of that name asks for too many fields. A query without it, or with
 * variables of another type, is left to whoever runs it.
 */
export function limitComplexity(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  input: Variables,
): void {
  const operation = getOperationAST(document, operationName);
  if (!operation) return;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], input);
  if (coerced === undefined) return;
  const complexity = queryComplexity(schema, document, operation, coerced);
  if (complexity > maxComplexity)
    throw tooMuch('complexity', complexity, maxComplexity, 'ask for fewer or smaller pages');
}

const tooMuch = (what: string, found: number, most: number, hint: string): GraphQLError =>
  new GraphQLError(`The query has a ${what} of ${found}, and at most ${most} is allowed: ${hint}`);
