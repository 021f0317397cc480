import { connectionOf } from './parts.ts';

export const agentSchema = /* GraphQL */ `
  type Agent implements Node {
    id: ID!
    uuid: String!
    name: String!
    hostname: String
    ipAddress: String
    pid: String
    userAgent: String
    version: String
    versionHasKnownIssues: Boolean!
    isDeprecated: Boolean!
    operatingSystem: OperatingSystem
    metaData: [String!]
    priority: Int
    public: Boolean!
    connectionState: String!
    connectedAt: DateTime
    createdAt: DateTime
    disconnectedAt: DateTime
    heartbeatAt: DateTime
    lostAt: DateTime
    isRunningJob: Boolean!
    job: Job
    organization: Organization
    clusterQueue: ClusterQueue
    paused: Boolean!
    pausedAt: DateTime
    pausedBy: User
    pausedNote: String
    pausedTimeoutInMinutes: Int!
  }
  ${connectionOf('Agent')}

  type OperatingSystem {
    name: String!
  }

  input AgentStopInput {
    clientMutationId: String
    id: ID!
    "Its job is done first, and not canceled"
    graceful: Boolean
  }
  type AgentStopPayload {
    clientMutationId: String
    agent: Agent!
  }

  input AgentPauseInput {
    clientMutationId: String
    id: ID!
    note: String
    "Default 5, at most 10080"
    timeoutInMinutes: Int
  }
  type AgentPausePayload {
    clientMutationId: String
    agent: Agent!
  }

  input AgentResumeInput {
    clientMutationId: String
    id: ID!
  }
  type AgentResumePayload {
    clientMutationId: String
    agent: Agent!
  }
`;

/** What clients ask for beside the rest, and what the built-in service has none of. */
export const absentSchema = /* GraphQL */ `
  scalar TeamSelector

  type Team implements Node {
    id: ID!
    uuid: ID!
    name: String!
    slug: String!
  }
  ${connectionOf('Team')}

  enum PipelineAccessLevels {
    BUILD_AND_READ
    MANAGE_BUILD_AND_READ
    READ_ONLY
  }
  enum TeamPipelineOrder {
    NAME
    RECENTLY_CREATED
    RELEVANCE
  }
  type TeamPipeline implements Node {
    id: ID!
    uuid: ID!
    accessLevel: PipelineAccessLevels!
    pipeline: Pipeline
    team: Team
  }
  ${connectionOf('TeamPipeline')}

  type Cluster implements Node {
    id: ID!
    uuid: ID!
    name: String!
    description: String
  }
  ${connectionOf('Cluster')}

  type ClusterQueue implements Node {
    id: ID!
    uuid: ID!
    key: String!
    description: String
    cluster: Cluster
  }

  type PipelineTemplate implements Node {
    id: ID!
    uuid: ID!
    name: String!
  }

  type PipelineMetric implements Node {
    id: ID!
    label: ID!
    url: String
    value: String
  }
  ${connectionOf('PipelineMetric')}
`;
