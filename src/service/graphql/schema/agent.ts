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
`;
