/** Specification, "GraphQL". */
import { json, type RouteResponse } from '../http/response.ts';
import { jsonInTurns } from '../http/json-in-turns.ts';
import { badRequest } from '../http/api-error.ts';
import { route, type Route } from '../http/route.ts';
import { isObject, objectOf } from '../http/body-reader.ts';

export const graphqlRoutes: readonly Route[] = [
  route('POST', '/v1', 'graphql', async (call, service): Promise<RouteResponse> => {
    const body = objectOf(await call.body());
    const { query, operationName } = body;
    if (typeof query !== 'string' || query.trim() === '')
      return json({ errors: [{ message: 'A query is required' }] });
    const variables = readVariables(body['variables']);
    const { executeQuery } = await import('./execute-query.ts');
    const result = await executeQuery(service, call.caller, {
      query,
      variables,
      operationName: typeof operationName === 'string' ? operationName : undefined,
    });
    return jsonInTurns(result, { isLong: (value) => typeof value === 'object' && value !== null });
  }),
];

/** Some clients send the variables as a JSON string. */
function readVariables(input: unknown): Readonly<Record<string, unknown>> {
  const value = typeof input === 'string' ? parse(input) : input;
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  throw badRequest('variables must be an object');
}

function parse(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('variables must be valid JSON');
  }
}
