import { sharedMembers } from './job-members.ts';
import { connectionOf } from './parts.ts';

/** Jobs that run a command, and what they leave. */
export const commandSchema = /* GraphQL */ `
  type JobTypeCommand implements JobInterface & Node {
    ${sharedMembers}
    step: StepCommand
    url: String!
    command: String
    pipeline: Pipeline
    agent: Agent
    agentQueryRules: [String!]
    artifacts(first: Int, last: Int): ArtifactConnection
    automaticArtifactUploadPaths: String
    cluster: Cluster
    clusterQueue: ClusterQueue
    concurrency: JobConcurrency
    env: [String!]
    exitStatus: String
    matrix: JSON
    parallelGroupIndex: Int
    parallelGroupTotal: Int
    passed: Boolean!
    priority: JobPriority!
    retryRules: JobRetryRules
    signal: String
    signalReason: JobEventSignalReason
    softFailed: Boolean!
    createdAt: DateTime
    scheduledAt: DateTime
    runnableAt: DateTime
    startedAt: DateTime
    finishedAt: DateTime
    canceledAt: DateTime
    expiredAt: DateTime
  }

  type Artifact implements Node {
    id: ID!
    uuid: ID!
    path: String!
    downloadURL: String!
    mimeType: String!
    sha1sum: String!
    sha256sum: String
    size: Int!
    state: String!
    expiresAt: DateTime
    job: JobTypeCommand
  }
  ${connectionOf('Artifact')}
`;
