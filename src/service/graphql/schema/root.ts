// What the types of the schema have in common.

/** Marks what the public service does not have. Introspection shows it only where it is asked to. */
export const own = '@deprecated(reason: "Only the built-in service has it")';

/** Where queries begin, and what all objects share. */
export const rootSchema = /* GraphQL */ `
  scalar DateTime
  scalar JSON
  scalar YAML

  interface Node {
    id: ID!
  }

  interface Connection {
    count: Int!
    pageInfo: PageInfo
  }

  type PageInfo {
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
    endCursor: String
  }

  type Query {
    viewer: Viewer
    user(uuid: ID!): User ${own}
    organization(slug: ID, uuid: ID): Organization
    "ORGANIZATION/UUID"
    organizationMember(slug: ID!): OrganizationMember
    "ORGANIZATION/PIPELINE"
    pipeline(slug: ID, uuid: ID): Pipeline
    "ORGANIZATION/PIPELINE/NUMBER"
    build(slug: ID, uuid: ID): Build
    job(uuid: ID!): Job
    "ORGANIZATION/UUID"
    agent(slug: ID!): Agent
    artifact(uuid: ID!): Artifact
    rule(uuid: ID!): Rule
    node(id: ID!): Node
  }
`;

/** What can be changed: the same as through REST, by the same rules. */
export const mutationSchema = /* GraphQL */ `
  type Mutation {
    agentStop(input: AgentStopInput!): AgentStopPayload
    agentPause(input: AgentPauseInput!): AgentPausePayload
    agentResume(input: AgentResumeInput!): AgentResumePayload
    buildCreate(input: BuildCreateInput!): BuildCreatePayload
    buildCancel(input: BuildCancelInput!): BuildCancelPayload
    buildRebuild(input: BuildRebuildInput!): BuildRebuildPayload
    buildAnnotate(input: BuildAnnotateInput!): BuildAnnotatePayload
    jobTypeCommandRetry(input: JobTypeCommandRetryInput!): JobTypeCommandRetryPayload
    jobTypeBlockUnblock(input: JobTypeBlockUnblockInput!): JobTypeBlockUnblockPayload
    ruleCreate(input: RuleCreateInput!): RuleCreatePayload
    ruleDelete(input: RuleDeleteInput!): RuleDeletePayload
  }

  input JobTypeCommandRetryInput {
    clientMutationId: String
    id: ID!
  }
  type JobTypeCommandRetryPayload {
    clientMutationId: String
    "The job that is done again"
    jobTypeCommand: JobTypeCommand!
    "The new one"
    retriedInJobTypeCommand: JobTypeCommand!
  }

  input JobTypeBlockUnblockInput {
    clientMutationId: String
    id: ID!
    "Values of the fields: an object, or a text of JSON"
    fields: JSON
  }
  type JobTypeBlockUnblockPayload {
    clientMutationId: String
    jobTypeBlock: JobTypeBlock!
  }

  input RuleCreateInput {
    clientMutationId: String
    organizationId: ID!
    type: String!
    "source_pipeline and target_pipeline: an object, or a text of JSON"
    value: JSON!
    description: String
  }
  type RuleCreatePayload {
    clientMutationId: String
    rule: Rule!
  }

  input RuleDeleteInput {
    clientMutationId: String
    organizationId: ID!
    id: ID!
  }
  type RuleDeletePayload {
    clientMutationId: String
    deletedRuleId: ID!
  }
`;

/** Builds are created, canceled, done again and annotated. */
export const buildMutationSchema = /* GraphQL */ `
  input BuildCreateInput {
    clientMutationId: String
    pipelineID: ID!
    "Default HEAD"
    commit: String
    "Default the pipeline's default branch"
    branch: String
    message: String
    author: BuildAuthorInput
    "NAME=VALUE"
    env: [String!]
    metaData: [BuildMetaDataInput!]
  }
  input BuildAuthorInput {
    name: String!
    email: String!
  }
  input BuildMetaDataInput {
    key: String!
    value: String!
  }
  type BuildCreatePayload {
    clientMutationId: String
    build: Build
  }

  input BuildCancelInput {
    clientMutationId: String
    id: ID!
  }
  type BuildCancelPayload {
    clientMutationId: String
    build: Build!
  }

  input BuildRebuildInput {
    clientMutationId: String
    id: ID!
  }
  type BuildRebuildPayload {
    clientMutationId: String
    build: Build!
    "The new one"
    rebuild: Build!
  }

  input BuildAnnotateInput {
    clientMutationId: String
    buildID: ID!
    body: String
    style: AnnotationStyle = DEFAULT
    context: String = "default"
    append: Boolean = false
    priority: Int = 3
  }
  type BuildAnnotatePayload {
    clientMutationId: String
    annotation: Annotation
    annotationEdge: AnnotationEdge
    build: Build
  }
`;

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
