/** Marks additions to the public schema. Introspection only includes them on request. */

export const own = '@deprecated(reason: "Only available in the local service")';

export const page = 'first: Int, after: String, last: Int, before: String';

export const buildFilters = 'state: [BuildStates!], branch: [String!], metaData: [String!]';

export const jobFilters = `
  type: [JobTypes!]
  state: [JobStates!]
  passed: Boolean
  step: JobStepSearch
  agentQueryRules: [String!]
  concurrency: JobConcurrencySearch
  priority: JobPrioritySearch
`;

/** For `Build`, declares the types `BuildConnection` and `BuildEdge`. */
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

const mutationTypes = (name: string, input: string, payload: string): string => `
  input ${name}Input {
    clientMutationId: String
    ${input}
  }
  type ${name}Payload {
    clientMutationId: String
    ${payload}
  }
`;

export const rootSchema = /* GraphQL */ `
  scalar DateTime
  scalar JSON
  scalar YAML

  interface Node { id: ID! }

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
  ${mutationTypes('AgentStop', 'id: ID!, "Finish the current job instead of canceling it" graceful: Boolean', 'agent: Agent!')}
  ${mutationTypes('AgentPause', 'id: ID!, note: String, "Defaults to 5; at most 10080" timeoutInMinutes: Int', 'agent: Agent!')}
  ${mutationTypes('AgentResume', 'id: ID!', 'agent: Agent!')}
  ${mutationTypes(
    'BuildCreate',
    `
    pipelineID: ID!
    "Defaults to HEAD"
    commit: String
    "Defaults to the default branch of the pipeline"
    branch: String
    message: String
    author: BuildAuthorInput
    "NAME=VALUE"
    env: [String!]
    metaData: [BuildMetaDataInput!]
    `,
    'build: Build',
  )}
  input BuildAuthorInput {
    name: String!
    email: String!
  }
  input BuildMetaDataInput {
    key: String!
    value: String!
  }
  ${mutationTypes('BuildCancel', 'id: ID!', 'build: Build!')}
  ${mutationTypes('BuildRebuild', 'id: ID!', 'build: Build!, "The new build" rebuild: Build!')}
  ${mutationTypes(
    'BuildAnnotate',
    `
    buildID: ID!
    body: String
    style: AnnotationStyle = DEFAULT
    context: String = "default"
    append: Boolean = false
    priority: Int = 3
    `,
    'annotation: Annotation, annotationEdge: AnnotationEdge, build: Build',
  )}
  ${mutationTypes(
    'JobTypeCommandRetry',
    'id: ID!',
    `
    "The retried job"
    jobTypeCommand: JobTypeCommand!
    "The new job"
    retriedInJobTypeCommand: JobTypeCommand!
    `,
  )}
  ${mutationTypes(
    'JobTypeBlockUnblock',
    'id: ID!, "Field values, as an object or a JSON string" fields: JSON',
    'jobTypeBlock: JobTypeBlock!',
  )}
  ${mutationTypes(
    'RuleCreate',
    `
    organizationId: ID!
    type: String!
    "source_pipeline and target_pipeline, as an object or a JSON string"
    value: JSON!
    description: String
    `,
    'rule: Rule!',
  )}
  ${mutationTypes('RuleDelete', 'organizationId: ID!, id: ID!', 'deletedRuleId: ID!')}
`;
