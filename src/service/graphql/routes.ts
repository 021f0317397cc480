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
    const { executeQuery: runQuery } = await import('./execute-query.ts');
    const request = {
      query,
      variables,
      operationName: typeof operationName === 'string' ? operationName : undefined,
    };
    const result = await runQuery({ service, caller: call.caller }, request);
    return jsonInTurns(result, { isLong: isContainer });
  }),
];

/** Each object in another is a piece of its own. */
const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** An object, nothing, or a text of JSON, as some clients send it. */
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
    throw badRequest('variables are not valid JSON');
  }
}
