import type { GraphqlAnswer, GraphqlRequest } from '../../api/graphql.ts';
import type { Handler, Input } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import { fieldValues } from '../fields.ts';
import { readJsonObject, readValue } from '../read.ts';
import type { graphql } from './query.ts';

/** `cictl graphql QUERY`: data that came is printed even where there are errors. */
export const run: Handler<typeof graphql> = async (input, context) => {
  const request = await readRequest(input, context);
  const client = await context.client();
  if (!input.paginate) return tell(await client.graphql.query(request), context);
  let page = 0;
  for await (const answer of client.graphql.pages(request)) {
    page += 1;
    await tell({ ...answer, text: asLine(answer.text) }, context, page);
  }
};

/** Documents that follow one another must not run into each other. */
const asLine = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

async function tell(answer: GraphqlAnswer, { out }: Context, page = 1): Promise<void> {
  await out.document(answer.text);
  const [first, ...details] = answer.errors;
  if (first !== undefined) {
    throw new CictlError(
      'refused',
      `the query was refused${page > 1 ? ` (page ${page})` : ''}: ${first}`,
      { details },
    );
  }
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
