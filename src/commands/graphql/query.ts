import type { GraphqlResponse, GraphqlRequest } from '../../api/graphql.ts';
import type { Handler, Input } from '../../command/command.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { fieldValues, readJsonObject, readValue } from '../read-value.ts';
import type { graphql } from './index.ts';

/** Prints the data in the response even if the response also has errors. */
export const runQuery: Handler<typeof graphql> = async (input, context) => {
  const request = await readRequest(input, context);
  const client = await context.client();
  if (!input.paginate) return print(await client.graphql.query(request), context);
  let page = 0;
  for await (const response of client.graphql.pages(request)) {
    page += 1;
    await print({ ...response, text: asLine(response.text) }, context, page);
  }
};

/** Keeps consecutive documents on separate lines. */
const asLine = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

async function print(response: GraphqlResponse, { out }: Context, page = 1): Promise<void> {
  await out.document(response.text);
  const [first, ...details] = response.errors;
  if (first === undefined) return;
  const where = page > 1 ? ` (page ${page})` : '';
  throw new CictlError('refused', `the service rejected the query${where}: ${first}`, { details });
}

async function readRequest(
  input: Input<typeof graphql>,
  context: Context,
): Promise<GraphqlRequest> {
  const query = await readValue(input.query === '-' ? '@-' : input.query, 'QUERY', context);
  if (query.trim() === '') throw usageError('the query is empty');
  const given =
    input.variables === undefined
      ? {}
      : await readJsonObject(input.variables, '--variables', context);
  const variables = { ...given, ...(await fieldValues(input, context)) };
  return {
    query,
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(input.operation !== undefined && { operationName: input.operation }),
  };
}
