import { readBodyText } from '../http/read-body.ts';
import { decodeObject } from './decode.ts';
import type { SendRequest } from './send-request.ts';
import { graphqlPages } from './graphql-pages.ts';
import { readErrorBody } from './error-body.ts';
import { InvalidResponseError } from '../http/invalid-response-error.ts';

/** Body of a GraphQL request (Specification, "GraphQL"). */
export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

/** A response with status 200: it may carry data and errors at once. */
export interface GraphqlResponse {
  readonly data: unknown;
  /** What every entry of `errors` says; empty where all went well. */
  readonly errors: readonly string[];
  /** The document as received. */
  readonly text: string;
}

export interface Graphql {
  query(request: GraphqlRequest): Promise<GraphqlResponse>;
  /**
   * One response a page, by the cursor variable `$endCursor` and the outermost `pageInfo`. Throws a
   * usage error before anything is sent where the query has not both.
   */
  pages(request: GraphqlRequest): AsyncIterable<GraphqlResponse>;
}

export function graphql(send: SendRequest): Graphql {
  const query = (request: GraphqlRequest, page = 1): Promise<GraphqlResponse> =>
    send(
      {
        method: 'POST',
        path: ['v1'],
        body: request,
        action: `run the GraphQL query${pageNote(page)}`,
        scope: 'graphql',
      },
      async (response) => read(await readBodyText(response)),
    );
  return { query: (request) => query(request), pages: (request) => graphqlPages(query, request) };
}

/** Names a page behind the first in a message. */
const pageNote = (page: number): string => (page === 1 ? '' : ` (page ${page})`);

function read(text: string): GraphqlResponse {
  const body = decodeObject(text);
  if (!('data' in body) && !('errors' in body)) {
    throw new InvalidResponseError('the answer has neither data nor errors');
  }
  const { message, details } = readErrorBody(JSON.stringify({ errors: body['errors'] }));
  return { data: body['data'], errors: message === undefined ? [] : [message, ...details], text };
}
