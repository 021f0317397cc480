/** Body of a GraphQL request (Specification, "GraphQL"). */
export interface GraphqlRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

/** An answer with status 200: it may carry data and errors at once. */
export interface GraphqlAnswer {
  readonly data: unknown;
  /** The `message` of every entry of `errors`; empty where all went well. */
  readonly errors: readonly string[];
  /** The document as it came. */
  readonly text: string;
}

export interface Graphql {
  query(request: GraphqlRequest): Promise<GraphqlAnswer>;
  /**
   * One answer a page, by the cursor variable `$endCursor` and the outermost `pageInfo`. Throws a
   * usage error before anything is sent where the query has not both.
   */
  pages(request: GraphqlRequest): AsyncIterable<GraphqlAnswer>;
}
