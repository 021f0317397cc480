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
