/**
 * The schema, with the names of the public service. Members that several kinds of jobs have are of
 * one type in all of them: clients ask for them side by side, and GraphQL refuses to merge others.
 */
export const schemaText = /* GraphQL */ `
  scalar DateTime

  interface Node {
    id: ID!
  }

  type Query {
    viewer: Viewer
    user(uuid: ID!): User
    organization(slug: ID!): Organization
    "ORGANIZATION/PIPELINE"
    pipeline(slug: ID, uuid: ID): Pipeline
    "ORGANIZATION/PIPELINE/NUMBER"
    build(slug: ID, uuid: ID): Build
    job(uuid: ID!): Job
    node(id: ID!): Node
  }

  type PageInfo {
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
    endCursor: String
  }

  type Viewer {
    id: ID!
    user: User
    organizations(first: Int, after: String, last: Int, before: String): OrganizationConnection
  }

  type Avatar {
    url: String!
  }

  type User implements Node {
    id: ID!
    uuid: ID!
    name: String!
    email: String!
    avatar: Avatar!
    createdAt: DateTime
    builds(
      first: Int
      after: String
      last: Int
      before: String
      state: [BuildStates!]
      branch: [String!]
      commit: [String!]
      metaData: [String!]
    ): BuildConnection
  }

  type Organization implements Node {
    id: ID!
    uuid: ID!
    name: String!
    slug: String!
    createdAt: DateTime
    pipelines(
      first: Int
      after: String
      last: Int
      before: String
      search: String
    ): PipelineConnection
  }

  type OrganizationConnection {
    count: Int!
    edges: [OrganizationEdge]
    pageInfo: PageInfo
  }
  type OrganizationEdge {
    cursor: String!
    node: Organization
  }

  type Repository {
    url: String!
  }

  type Pipeline implements Node {
    id: ID!
    uuid: ID!
    name: String!
    slug: String!
    url: String!
    defaultBranch: String
    branchConfiguration: String
    repository: Repository
    createdAt: DateTime
    organization: Organization
    builds(
      first: Int
      after: String
      last: Int
      before: String
      state: [BuildStates!]
      branch: [String!]
      commit: [String!]
      metaData: [String!]
      createdAtFrom: DateTime
      createdAtTo: DateTime
    ): BuildConnection
  }

  type PipelineConnection {
    count: Int!
    edges: [PipelineEdge]
    pageInfo: PageInfo
  }
  type PipelineEdge {
    cursor: String!
    node: Pipeline
  }

  enum BuildStates {
    SKIPPED
    CREATING
    SCHEDULED
    RUNNING
    PASSED
    FAILING
    FAILED
    BLOCKED
    CANCELING
    CANCELED
    NOT_RUN
  }

  type BuildSource {
    name: String!
  }

  type PullRequest {
    id: ID!
    base: String
    repository: String
  }

  type Build implements Node {
    id: ID!
    uuid: ID!
    number: Int!
    url: String!
    state: BuildStates!
    blocked: Boolean!
    blockedState: String
    branch: String
    commit: String!
    message: String
    env: [String!]
    source: BuildSource
    cancelReason: String
    createdAt: DateTime
    scheduledAt: DateTime
    startedAt: DateTime
    finishedAt: DateTime
    createdBy: User
    pullRequest: PullRequest
    rebuiltFrom: Build
    pipeline: Pipeline
    organization: Organization
    metaData(first: Int, after: String, last: Int, before: String): MetaDataConnection
    jobs(
      first: Int
      after: String
      last: Int
      before: String
      type: [JobTypes!]
      state: [JobStates!]
      passed: Boolean
      includeRetried: Boolean
    ): JobConnection
    annotations(
      first: Int
      after: String
      last: Int
      before: String
      style: [AnnotationStyle!]
      context: [String!]
    ): AnnotationConnection
  }

  type BuildConnection {
    count: Int!
    edges: [BuildEdge]
    pageInfo: PageInfo
  }
  type BuildEdge {
    cursor: String!
    node: Build
  }

  type MetaData {
    key: String!
    value: String!
  }
  type MetaDataConnection {
    count: Int!
    edges: [MetaDataEdge]
    pageInfo: PageInfo
  }
  type MetaDataEdge {
    cursor: String!
    node: MetaData
  }

  enum JobTypes {
    COMMAND
    WAIT
    BLOCK
    TRIGGER
  }

  enum JobStates {
    PENDING
    WAITING
    WAITING_FAILED
    BLOCKED
    BLOCKED_FAILED
    UNBLOCKED
    UNBLOCKED_FAILED
    LIMITING
    LIMITED
    SCHEDULED
    RESERVED
    ASSIGNED
    ACCEPTED
    RUNNING
    PASSED
    FAILED
    TIMING_OUT
    TIMED_OUT
    CANCELING
    CANCELED
    SKIPPED
    BROKEN
    EXPIRED
  }

  type Agent implements Node {
    id: ID!
    uuid: ID!
    name: String!
  }

  type Step {
    uuid: ID!
    key: String
  }

  union Job = JobTypeCommand | JobTypeWait | JobTypeBlock | JobTypeTrigger

  type JobTypeCommand implements Node {
    id: ID!
    uuid: ID!
    state: JobStates!
    label: String
    url: String
    build: Build
    step: Step
    createdAt: DateTime
    runnableAt: DateTime
    scheduledAt: DateTime
    startedAt: DateTime
    finishedAt: DateTime
    command: String
    passed: Boolean!
    softFailed: Boolean!
    exitStatus: String
    signal: String
    signalReason: String
    agent: Agent
    agentQueryRules: [String!]
    env: [String]
    retried: Boolean!
    retriesCount: Int
  }

  type JobTypeWait implements Node {
    id: ID!
    uuid: ID!
    state: JobStates!
    label: String
    url: String
    build: Build
    step: Step
    createdAt: DateTime
    finishedAt: DateTime
  }

  type JobTypeBlock implements Node {
    id: ID!
    uuid: ID!
    state: JobStates!
    label: String
    url: String
    build: Build
    step: Step
    createdAt: DateTime
    finishedAt: DateTime
    isUnblockable: Boolean
    unblockedAt: DateTime
    unblockedBy: User
  }

  type JobTypeTrigger implements Node {
    id: ID!
    uuid: ID!
    state: JobStates!
    label: String
    url: String
    build: Build
    step: Step
    createdAt: DateTime
    finishedAt: DateTime
    triggered: Build
  }

  type JobConnection {
    count: Int!
    edges: [JobEdge]
    pageInfo: PageInfo
  }
  type JobEdge {
    cursor: String!
    node: Job
  }

  enum AnnotationStyle {
    SUCCESS
    INFO
    WARNING
    ERROR
  }

  type AnnotationBody {
    html: String
    text: String
  }

  type Annotation implements Node {
    id: ID!
    uuid: ID!
    context: String!
    style: AnnotationStyle
    priority: Int
    body: AnnotationBody!
    createdAt: DateTime
    updatedAt: DateTime
  }

  type AnnotationConnection {
    count: Int!
    edges: [AnnotationEdge]
    pageInfo: PageInfo
  }
  type AnnotationEdge {
    cursor: String!
    node: Annotation
  }
`;
