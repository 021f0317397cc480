/** What the types of the schema have in common. */

/** Marks what the public service does not have. Introspection shows it only where it is asked to. */
export const own = '@deprecated(reason: "Only the built-in service has it")';

/** The arguments of every connection that can be read in pieces. */
export const page = 'first: Int, after: String, last: Int, before: String';

/** Filters of all lists of builds. */
export const buildFilters = 'state: [BuildStates!], branch: [String!], metaData: [String!]';

/** Filters of all lists of jobs. */
export const jobFilters = `
  type: [JobTypes!]
  state: [JobStates!]
  passed: Boolean
  step: JobStepSearch
  agentQueryRules: [String!]
  concurrency: JobConcurrencySearch
  priority: JobPrioritySearch
`;

/** `BuildConnection` and `BuildEdge` for `Build`. */
export const connectionOf = (node: string): string => `
  type ${node}Connection implements Connection {
    count: Int!
    edges: [${node}Edge]
    pageInfo: PageInfo
  }
  type ${node}Edge {
    cursor: String!
    node: ${node}
  }
`;
