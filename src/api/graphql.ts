import { readBodyText } from '../http/body.ts';
import { decodeObject, readErrorBody, isRecord } from './decode.ts';
import type { SendRequest } from './send-request.ts';
import { InvalidResponseError } from '../http/transport.ts';
import { CictlError, usageError } from '../errors.ts';
import { stringifyJson } from './json.ts';
import { checkLoop } from './pages.ts';
import { typeName } from './resources/check.ts';

export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

export interface GraphqlResponse {
  readonly data: unknown;
  readonly errors: readonly string[];
  readonly text: string;
}

export function graphql(send: SendRequest) {
  const query = (request: GraphqlRequest, page = 1): Promise<GraphqlResponse> =>
    send(
      {
        method: 'POST',
        path: ['v1'],
        body: request,
        action: `run the GraphQL query${page === 1 ? '' : ` (page ${page})`}`,
        scope: 'graphql',
      },
      async (response) => read(await readBodyText(response)),
    );
  return {
    query: (request: GraphqlRequest) => query(request),
    pages: (request: GraphqlRequest) => graphqlPages(query, request),
  };
}

function read(text: string): GraphqlResponse {
  const body = decodeObject(text);
  if (!('data' in body) && !('errors' in body)) {
    throw new InvalidResponseError('the response has neither data nor errors');
  }
  const { message, details } = readErrorBody(JSON.stringify({ errors: body['errors'] }));
  return { data: body['data'], errors: message === undefined ? [] : [message, ...details], text };
}

type PageQuery = (request: GraphqlRequest, page: number) => Promise<GraphqlResponse>;

/** Follows the end cursor. A page without a valid cursor is an error, not the end of the list. */
export function graphqlPages(
  query: PageQuery,
  request: GraphqlRequest,
): AsyncIterable<GraphqlResponse> {
  check(request.query);
  return readPages(query, request);
}

function check(query: string): void {
  const hasCursor = /\$endCursor\s*:\s*String\b/.test(query);
  const [, selected = ''] = /\bpageInfo\s*\{([^}]*)\}/.exec(query) ?? [];
  if (hasCursor && /\bhasNextPage\b/.test(selected) && /\bendCursor\b/.test(selected)) return;
  throw usageError(
    '--paginate requires the variable $endCursor: String and pageInfo { hasNextPage endCursor } in the query',
    'cictl help graphql',
  );
}

async function* readPages(
  query: PageQuery,
  request: GraphqlRequest,
): AsyncGenerator<GraphqlResponse> {
  const seen = new Set<string>();
  const isNew = await createNewDataCheck();
  let idle = 0;
  let { variables } = request;
  for (let number = 1; ; number++) {
    const response = await query(
      variables === undefined ? request : { ...request, variables },
      number,
    );
    yield response;
    const cursor = nextCursor(response.data, number);
    if (cursor === undefined) return;
    if (seen.has(cursor)) throw noNextPage(number, 'pagination loop');
    seen.add(cursor);
    idle = isNew(response.data) ? 0 : idle + 1;
    checkPages(number, idle);
    variables = { ...variables, endCursor: cursor };
  }
}

/** Returns a function that tells whether a page is new, ignoring cursors. Stores only hashes. */
async function createNewDataCheck(): Promise<(data: unknown) => boolean> {
  const { createHash } = await import('node:crypto');
  const seen = new Set<string>();
  return (data) => {
    const text = stringifyJson(data).replace(cursors, '');
    const before = seen.size;
    return seen.add(createHash('sha256').update(text).digest('base64')).size > before;
  };
}

const cursors = /"(?:cursor|endCursor|startCursor)":"(?:[^"\\]|\\.)*"/g;

function checkPages(count: number, idle: number): void {
  try {
    checkLoop(count, idle);
  } catch (error) {
    if (error instanceof InvalidResponseError) throw noNextPage(count, error.message);
    throw error;
  }
}

function nextCursor(data: unknown, number: number): string | undefined {
  if (!isRecord(data)) throw noNextPage(number, `data is ${typeName(data)} instead of an object`);
  const info = pageInfo(data);
  // The first page may lack pageInfo if there are no more pages, but later pages must have it.
  if (info === undefined && number === 1) return undefined;
  if (info === undefined) throw noNextPage(number, 'pageInfo is missing');
  if (!isRecord(info)) {
    throw noNextPage(number, `pageInfo is ${typeName(info)} instead of an object`);
  }
  const { hasNextPage, endCursor } = info;
  if (hasNextPage === false) return undefined;
  if (hasNextPage !== true) {
    throw noNextPage(number, `hasNextPage is ${typeName(hasNextPage)} instead of a boolean`);
  }
  if (typeof endCursor === 'string') return endCursor;
  throw noNextPage(number, `endCursor is ${typeName(endCursor)} instead of a string`);
}

function pageInfo(data: unknown): unknown {
  for (let level = [data]; level.length > 0; level = level.flatMap(inside)) {
    const found = level.filter(isRecord).find((node) => node['pageInfo'] !== undefined);
    if (found !== undefined) return found['pageInfo'];
  }
  return undefined;
}

const inside = (node: unknown): unknown[] =>
  typeof node === 'object' && node !== null ? Object.values(node) : [];

const noNextPage = (number: number, reason: string): CictlError =>
  new CictlError('invalid_response', `cannot read the page after page ${number}: ${reason}`);
