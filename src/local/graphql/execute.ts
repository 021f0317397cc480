/** Runs queries. Loaded with the first one. */
import { buildSchema, execute, GraphQLError, parse, validate, type ExecutionResult } from 'graphql';
import { rootOf } from './root.ts';
import { schemaText } from './schema.ts';
import type { Viewpoint } from './viewpoint.ts';

const schema = buildSchema(schemaText);

/** Against queries made to cost: the largest of real clients have some 500. */
const maxTokens = 10_000;

export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName: string | undefined;
}

/** The answer's body; what is wrong with a query is told in its `errors`. */
export async function runQuery(
  viewpoint: Viewpoint,
  { query, variables, operationName }: GraphqlRequest,
): Promise<ExecutionResult> {
  try {
    const document = parse(query, { maxTokens });
    const errors = validate(schema, document);
    if (errors.length > 0) return { errors };
    return await execute({
      schema,
      document,
      rootValue: rootOf(viewpoint),
      variableValues: variables,
      operationName: operationName ?? null,
    });
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}
